"""What feeds the steps: the stages of an input pipeline, the one that limits it, and how long steps wait."""
