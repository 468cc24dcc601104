# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled loops. Where this module is not compiled, its user falls back to numpy."""

import cython

COMPILED: bool = cython.compiled
