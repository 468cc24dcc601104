"""Timelines → a document of Chrome's trace-event JSON, or one of their XLA programs as a file, a piece at a time."""
