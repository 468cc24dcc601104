"""GPU kernels, copies and CUDA graphs: their times, launches and rates."""
