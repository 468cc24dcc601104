"""Rooflines: what each op, step and capture reached of what its devices could compute and move."""
