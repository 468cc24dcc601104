"""One profiler server over the network: is it there and free, what it recorded, and when by its own clock."""
