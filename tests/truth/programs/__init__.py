"""Programs of their own shape, each with what its step is spent on, that no rule was written for.

They are frozen: none is changed for what is reported of it. A cost is what a typical step takes less without it.
"""
