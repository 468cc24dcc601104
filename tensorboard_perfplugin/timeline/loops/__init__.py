"""Loops over columns, compiled where they were compiled and numpy elsewhere, with identical results."""
