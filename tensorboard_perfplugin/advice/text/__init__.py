"""Codes → sentences: the catalogue of all that findings, reasons and warnings say, and the one renderer."""
