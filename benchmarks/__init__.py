"""Time, memory and size on a large capture, beside the peer where it is installed. `python -m benchmarks.run`."""
