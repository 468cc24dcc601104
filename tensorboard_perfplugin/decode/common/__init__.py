"""What decoders share: a file's bytes, limits of memory, tables built row by row, names that collectors give."""
