"""How the wall time of steps divides into categories, per device."""
