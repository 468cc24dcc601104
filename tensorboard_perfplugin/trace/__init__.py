"""The questions that a timeline answers: window, search, area, event, steps, export, proof."""
