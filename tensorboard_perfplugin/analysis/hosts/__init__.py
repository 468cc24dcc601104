"""Hosts and workers of a run: environment, damage, and the worker that holds the others up."""
