"""Lines of a device that its collector did not draw: steps, phases, modules, scopes, ops, programs, source.

They are made of the device's kernels and repeat their time: nothing that counts time uses them.
"""
