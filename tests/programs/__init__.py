"""Small programs that train under a profiler, log when each step begins, and cost time where told."""
