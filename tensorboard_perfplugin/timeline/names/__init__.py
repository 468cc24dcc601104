"""What names and texts in a capture mean: ops, kernels, functions of Python, datasets."""
