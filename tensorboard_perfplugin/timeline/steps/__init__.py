"""A timeline → its steps, by the first of several rules that holds, or by the one that a person names."""
