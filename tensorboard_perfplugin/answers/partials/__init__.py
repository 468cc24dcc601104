"""What one host gives to a tool's answer: made here, in other processes or on a cluster, as bytes that travel and are
kept in the user's cache directory, and back."""
