"""The declarations of tools, findings and thresholds → entries that the command line prints, and pages of the site."""
