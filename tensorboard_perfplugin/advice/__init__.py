"""What numbers mean: findings, the rules that make them, and their words."""
