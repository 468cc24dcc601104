"""`Timeline`: a `Capture` with what follows from it: nesting and self time, causes, ops, steps and their split.

Steps and their split are imported when they are first asked for: a page without them does not wait for that.
"""
