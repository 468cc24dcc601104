"""XLA programs: their instructions with what each cost, which program took how long, and one by what it is called."""
