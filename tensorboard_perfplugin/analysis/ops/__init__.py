"""Ops of hosts and devices: executions, times, FLOPs, bytes, memory, and kernels of no op."""
