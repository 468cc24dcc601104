"""Which events are executions of ops, and what follows from that: costs, memory, waits, collectives."""
