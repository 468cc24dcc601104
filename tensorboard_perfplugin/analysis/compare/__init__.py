"""Two runs → what changed from one to the other, and what of a step's time accounts for it."""
