"""Calls of collectives: kind, group, size, arrival; the negotiations of Horovod."""
