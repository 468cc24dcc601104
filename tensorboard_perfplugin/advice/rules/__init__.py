"""Rules: analysis → findings, a folder a subject. A page imports its own subjects', so that it pays for no others."""
