"""Timelines → typed tables and numbers, a folder a subject."""
