"""What is said of steps."""

from .entry import Text

STEPS = {
    "steps_guessed": Text(
        title="Steps are a guess, by {rule}: {evidence}",
        action="Mark each step in the program, or choose by `steps_from` on another page what begins one.",
        when="No event marks a step, and a rule of confidence `guess` found some.",
        examples=({"rule": "calls that repeat", "evidence": "`train_step` was called 12 times"},),
    ),
    "steps_table_cut": Text(
        title="The table of steps holds the first {shown:number} of {steps:number}; the figures are of all",
        when="A run has more steps than a page's table holds.",
        examples=({"shown": 10000, "steps": 12345},),
    ),
}
