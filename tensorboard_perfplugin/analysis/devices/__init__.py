"""Devices: attributes, peak rates, what they reached, and TPUs' own accounts."""
