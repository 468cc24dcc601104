"""Buffers of XLA programs: what is live at the peak of each memory, for how long, and what would make it less."""
