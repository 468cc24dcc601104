"""The program that it is called in → a recording of it, through the profilers of its own frameworks, in the logdir."""
