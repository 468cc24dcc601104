"""How steps were found: the rules, what each needs, what was seen, what else repeats, and why there are none."""

from ...messages import Message
from .entry import Text

_TRAIN = Message("events_chosen.by_name", {"name": "train"})
_CALLED = Message("steps_seen.calls", {"name": "PjitFunction(step)", "times": 12, "thread": "python", "percent": 93})
_PERIODS = Message("steps_seen.pauses", {"events": 8, "on_device": True, "track": "Stream #7(Compute)", "times": 5})

STEP_RULES = {
    # What a rule goes by.
    "step_rule.recorded": Text(title="what TensorFlow recorded"),
    "step_rule.markers": Text(title="the program's own step markers"),
    "step_rule.numbers": Text(title="step numbers"),
    "step_rule.annotations": Text(title="names that number themselves"),
    "step_rule.device_steps": Text(title="steps on devices"),
    "step_rule.calls": Text(title="repeated calls"),
    "step_rule.input": Text(title="asking for input"),
    "step_rule.kernels": Text(title="repeated kernels or operations"),
    "step_rule.chosen": Text(title="chosen"),
    "step_rules": Text(
        title="{rules}", examples=({"rules": (Message("step_rule.numbers"), Message("step_rule.calls"))},)
    ),
    # What it needs.
    "step_rule_needs.recorded": Text(title="a list of steps in the file"),
    "step_rule_needs.markers": Text(title="events that mark a step to the profiler"),
    "step_rule_needs.numbers": Text(title="events with a step number"),
    "step_rule_needs.annotations": Text(title="names such as `ProfilerStep#12` or `train 7`"),
    "step_rule_needs.device_steps": Text(title="a device's line of steps, or of modules that repeat"),
    "step_rule_needs.calls": Text(title="a function that is called again and again"),
    "step_rule_needs.input": Text(title="input that is asked for again and again"),
    "step_rule_needs.kernels": Text(title="a sequence of kernels that repeats"),
    # Why there are no steps.
    "no_steps.no_events": Text(title="the capture holds no events"),
    "no_steps.none_held": Text(title="the capture holds no step"),
    "no_steps.by_rule": Text(
        title="the rule `{rule}` finds none here: it goes by {needs}",
        examples=({"rule": "input", "needs": Message("step_rule_needs.input")},),
    ),
    "no_steps.by_any_rule": Text(
        title="none of these was found: {needs:list}",
        examples=({"needs": (Message("step_rule_needs.numbers"), Message("step_rule_needs.calls"))},),
    ),
    "no_steps.no_such_name": Text(
        title="no rule and no event of this capture is named {name:quoted}[; names that come near: {near:quoted}]",
        examples=({"name": "loud", "near": ("load", "cloud")}, {"name": "loud", "near": ()}),
    ),
    "no_steps.no_match": Text(
        title="no event of this capture has a name in which /{pattern}/ is found", examples=({"pattern": r"part-\d"},)
    ),
    # What was seen that makes them steps.
    "steps_seen.recorded": Text(
        title="TensorFlow's profiler detected them when it captured; it records their durations, not their starts."
    ),
    "steps_seen.marks": Text(
        title="{names:and}[ and {more} other names] [{one?}event marks|events mark] a step to the profiler"
        "[, as those of {processes} other processes do]",
        examples=(
            {"names": (Message("steps_seen.mark", {"name": "train", "times": 1}),), "one": True},
            {
                "names": (
                    Message("steps_seen.mark", {"name": "train", "times": 1200}),
                    Message("steps_seen.mark", {"name": "test", "times": 12}),
                ),
                "one": False,
                "more": 2,
                "processes": 3,
            },
        ),
    ),
    "steps_seen.mark": Text(title="{times:number} {name:quoted}", examples=({"times": 20, "name": "train"},)),
    "steps_seen.groups": Text(
        title="[{one?}{groups} group of events has|{groups} groups of events have] [{marked?}a marker or ]work on "
        "devices, as the collector grouped them",
        examples=({"groups": 1, "one": True, "marked": True}, {"groups": 2, "one": False, "marked": False}),
    ),
    "steps_seen.numbers": Text(
        title="[{one?}{events} event|{events} events] {name:quoted}[ and {names} other names] [{one?}carries|carry] "
        "step [numbers {low} to {high}|number {low}]",
        examples=(
            {"events": 1, "one": True, "name": "train", "low": 7, "high": None},
            {"events": 12, "one": False, "name": "train", "names": 1, "low": 0, "high": 11},
        ),
    ),
    "steps_seen.named": Text(
        title="[{one?}one event on thread {thread:quoted} is named as a step,|{events} events on thread "
        "{thread:quoted} are named as steps, the first] {example:quoted}",
        examples=(
            {"one": True, "events": 1, "thread": "python", "example": "train 7"},
            {"one": False, "events": 3, "thread": "python", "example": "train 7"},
        ),
    ),
    "steps_seen.line": Text(
        title="the line of steps of {device:quoted}[ and {more} more devices] holds [{one?}{steps} step|{steps} steps]",
        examples=(
            {"device": "/device:TPU:0", "steps": 1, "one": True},
            {"device": "/device:TPU:0", "more": 3, "steps": 12, "one": False},
        ),
    ),
    "steps_seen.module": Text(
        title="module {module:quoted} ran {times} times on {device:quoted}, {percent}% of its modules' time",
        examples=({"module": "jit_step", "times": 12, "device": "/device:TPU:0", "percent": 93},),
    ),
    "steps_seen.calls": Text(
        title="{name:quoted} was called {times} times on thread {thread:quoted}, {percent}% of the time from its first "
        "to its last call",
        examples=(_CALLED.params,),
    ),
    "steps_seen.calls_a_turn": Text(
        title="{name:quoted} was called {calls} times in each of {turns} turns on thread {thread:quoted}",
        examples=({"name": "PjitFunction(slopes)", "calls": 3, "turns": 4, "thread": "python"},),
    ),
    "steps_seen.updates": Text(
        title="{names:quoted} updated weights {times} times on thread {thread:quoted}[, {each} times a step]",
        examples=(
            {"names": ("Optimizer.step#Adam.step",), "times": 12, "thread": "thread 7"},
            {
                "names": ("Optimizer.step#Adam.step", "Optimizer.step#SGD.step"),
                "times": 36,
                "thread": "thread 7",
                "each": 3,
            },
        ),
    ),
    "steps_seen.turns": Text(
        title="{calls} calls of {functions} functions on thread {thread:quoted} repeat {times} times, with a pause "
        "before each",
        examples=({"calls": 5, "functions": 3, "thread": "python", "times": 12},),
    ),
    "steps_seen.asks": Text(
        title="the next input was asked for {times} times by {name:quoted}[, {replicas} replicas at once]",
        examples=(
            {"times": 12, "name": "IteratorGetNextOp::DoCompute"},
            {"times": 12, "name": "IteratorGetNextOp::DoCompute", "replicas": 2},
        ),
    ),
    "steps_seen.sequence": Text(
        title="a sequence of about {kernels} [{on_host?}operations|kernels], begun by {name:quoted}, comes {times} "
        "times on {track:quoted}",
        examples=(
            {"kernels": 15, "name": "embed", "times": 4, "track": "Stream #7(Compute)"},
            {"kernels": 9, "on_host": True, "name": "aten::conv2d", "times": 12, "track": "thread 7"},
        ),
    ),
    "steps_seen.pauses": Text(
        title="{events} [{on_device?}kernels|operations] on {track:quoted} repeat {times} times, with a pause before "
        "each",
        examples=(_PERIODS.params, {**_PERIODS.params, "on_device": False}),
    ),
    "steps_seen.layers": Text(
        title="{seen}, {times:number} times in each call of a model", examples=({"seen": _PERIODS, "times": 2},)
    ),
    "steps_seen.chosen": Text(
        title="{asked} was chosen: [{one?}{events} event|{events} events] on {thread:quoted}",
        examples=(
            {"asked": _TRAIN, "events": 1, "one": True, "thread": "python"},
            {"asked": _TRAIN, "events": 12, "one": False, "thread": "python"},
        ),
    ),
    "steps_seen.timed_on_device": Text(
        title="{seen}; the host issues a step every {host_ps:duration}, devices need {device_ps:duration}: steps are "
        "timed by the work on devices",
        examples=({"seen": _CALLED, "host_ps": 2e9, "device_ps": 5e9},),
    ),
    "steps_seen.timed_on_device_after_host": Text(
        title="{seen}; devices begin a step's work after the host has ended it: steps are timed by that work",
        examples=({"seen": _CALLED},),
    ),
    "events_chosen.by_name": Text(title="{name:quoted}", examples=(_TRAIN.params,)),
    "events_chosen.by_pattern": Text(title="/{pattern}/", examples=({"pattern": r"part-\d"},)),
    # What else looked like a step.
    "not_steps.loop_iterations": Text(title="loop iterations inside steps"),
    "not_steps.compiled_loops": Text(title="compiled loops inside steps"),
    "not_steps.beyond_limit": Text(title="steps after the first {limit:number}", examples=({"limit": 1_000_000},)),
    "not_steps.beside": Text(title="{name:quoted} inside or beside steps", examples=({"name": "load"},)),
    "not_steps.same_number": Text(
        title="{name:quoted} with the number of the step before", examples=({"name": "load"},)
    ),
    "not_steps.numbered_inside": Text(
        title="{name:quoted} with a step number inside or after another", examples=({"name": "load"},)
    ),
    "not_steps.unmarked_groups": Text(title="groups of events without a marker or device work"),
    "not_steps.alike": Text(
        title="{example:quoted} and the like on thread {thread:quoted}",
        examples=({"example": "step 1", "thread": "loader"},),
    ),
    "not_steps.pieces": Text(title="further pieces of a step on its device"),
    "not_steps.module_runs": Text(title="runs of module {module:quoted}", examples=({"module": "jit_init"},)),
    "not_steps.calls_before": Text(title="calls before the first step"),
    "not_steps.calls": Text(
        title="calls of {name:quoted} on thread {thread:quoted}",
        examples=({"name": "PjitFunction(f)", "thread": "python"},),
    ),
    "not_steps.kernels_before": Text(title="kernels before the first period"),
    "not_steps.elsewhere": Text(title="{asked} on {thread:quoted}", examples=({"asked": _TRAIN, "thread": "loader"},)),
    "not_steps.further": Text(title="others of further names or threads"),
}
