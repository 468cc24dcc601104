"""What others compute from the same captures: the peer's steps, and sums that stand on nothing of ours."""
