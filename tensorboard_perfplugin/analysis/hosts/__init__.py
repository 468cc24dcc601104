"""Hosts and workers of a run: environment, damage, and who holds the others up."""
