# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""Compiled loops of `args.py`, with the types of `arg_loops.pxd`. All row numbers are within bounds."""

from __future__ import annotations

from typing import Any

import cython

COMPILED: bool = cython.compiled


def first_of_key(
    rows: Any, begins: Any, keys: Any, kinds: Any, values: Any, wanted: int, found: Any, found_kinds: Any
) -> None:
    for i in range(rows.shape[0]):
        k = begins[rows[i]]
        end = begins[rows[i] + 1]
        while k < end and keys[k] != wanted:
            k += 1
        if k < end:
            found[i] = values[k]
            found_kinds[i] = kinds[k]


def copy(
    rows: Any,
    begins: Any,
    keys: Any,
    kinds: Any,
    values: Any,
    rename: Any,
    to: Any,
    to_keys: Any,
    to_kinds: Any,
    to_values: Any,
) -> None:
    for i in range(rows.shape[0]):
        at = to[i]
        for k in range(begins[rows[i]], begins[rows[i] + 1]):
            to_keys[at] = rename[keys[k]]
            to_kinds[at] = kinds[k]
            to_values[at] = values[k]
            at += 1
