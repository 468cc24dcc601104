"""Hosts' steps side by side: which are the same, their means and statistics, and what ran in them."""
