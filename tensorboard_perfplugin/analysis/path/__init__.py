"""What a step waits for: the critical path, what it costs by level, and what a step would take without a part of it."""
