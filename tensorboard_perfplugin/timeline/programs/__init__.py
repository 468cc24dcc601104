"""XLA programs that a capture holds, which instruction each event ran, and what these cost."""
