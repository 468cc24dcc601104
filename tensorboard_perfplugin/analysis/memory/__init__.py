"""Allocations, what is live at the peak, growth by step, and profiles of one moment."""
