"""Texts about profiles of Python functions."""

from __future__ import annotations

from ...messages import Params
from .template import Text

_BY = "[, called from {caller:quoted}]"
_OF = "[{several?} of all hosts together]"
_WAITED: Params = {
    "function": "{method 'item' of 'torch._C.TensorBase' objects}",
    "caller": "train.py:42(step)",
    "ps": 3 * 10**12,
    "share": 0.3,
    "calls": 1200,
    "several": True,
}
_ALONE: Params = {**_WAITED, "caller": None, "several": False}
_EXAMPLES: tuple[Params, ...] = (_WAITED, _ALONE)
_LARGEST: Params = {
    "function": "train.py:12(tokenize)",
    "caller": "train.py:42(step)",
    "share": 0.4,
    "total": 9 * 10**12,
    "calls": 250_000,
    "per_call": 14_400_000,
    "often": True,
    "several": True,
}
_FEW: Params = {**_LARGEST, "caller": None, "often": False, "several": False, "calls": 1}
_TAKES = f"{{function:quoted}} takes {{share:percent}} of {{total:duration}} by itself{_BY}"
_CALLS = f"It is called [{{often?}}very often: ]{{calls:count time}}{_OF}, {{per_call:duration}} each."
#: How the devices' side of it is recorded.
_RECORD = (
    'Record what runs below it, operators and devices, over some steps: `with tensorboard_perfplugin.profile("logs"):`.'
)


def _largest(when: str, action: str, detail: str = "", unless: str = "") -> Text:
    return Text(
        title=_TAKES,
        detail=_CALLS + detail,
        action=action,
        when=when,
        unless=unless,
        examples=(_LARGEST, _FEW),
    )


def _wait(what: str, detail: str, action: str, when: str, unless: str = "") -> Text:
    return Text(
        title=f"{{share:percent}} of the time {what}, most of it in {{function:quoted}}{_BY}",
        detail=f"{{ps:duration}}{_OF}; {{calls:count call}} of that function. " + detail,
        action=action,
        when=when,
        unless=unless,
        examples=_EXAMPLES,
    )


FUNCTIONS = {
    "of_functions": Text(
        title="this is a profile of Python functions (cProfile): sums over the whole recording, without a timeline, "
        "operators or devices; the page of Python shows it. For this page record a program of a framework "
        'with `tensorboard_perfplugin.profile("logs")`, or with its own profiler; `py-spy record -f speedscope` gives '
        "any program a timeline"
    ),
    "no_functions": Text(
        title="the capture is no profile of Python functions: record one with `python -m cProfile -o rank_0.cprofile "
        "train.py`, and put it into the logdir"
    ),
    "python_nothing_timed": Text(
        title="No function took time",
        detail="The profile holds {functions:count function}.",
        action="Enable the profiler around what is to be measured: `with cProfile.Profile() as p: train()`, then "
        '`p.dump_stats("rank_0.cprofile")`.',
        when="A profile of Python functions has no time in a function that works.",
        examples=({"functions": 1},),
    ),
    "python_largest": _largest(
        "The function with most own time is in the program's own files.",
        "[{often?}Call it for many items at once: a loop in Python over items becomes one call on an array (numpy, a "
        "tensor), or is cached (`functools.lru_cache`).|See which of its lines it is: `pip install line_profiler`, "
        "`@line_profiler.profile` above it, `LINE_PROFILE=1 python train.py`.]",
    ),
    "python_largest.library": _largest(
        "The function with most own time is in a library's files, or written in C and of no framework.",
        "Its callers show who asks for it: ask less often, or for many items at once.",
    ),
    "python_largest.builtin": _largest(
        "The function with most own time is written in C, and a framework's.",
        _RECORD,
        " It is written in C: what it does inside is not in this profile, operators and kernels among it.",
    ),
    "python_waits.gpu": _wait(
        "goes to waiting for the device",
        "That is no work of Python: a result is read, and what was launched before has to be done first. What the "
        "device does meanwhile is not in this profile.",
        "Read results back less often: add up losses on the device (`total += loss.detach()`) and call `.item()` once "
        "in 100 steps; copy with `non_blocking=True`. Whether the device is busy meanwhile a "
        '`tensorboard_perfplugin.profile("logs")` of the same program shows: if it is, make its ops faster.',
        "Functions that wait for a GPU, or another device, have so much own time.",
        "A benchmark waits on purpose; then the time is the device's work.",
    ),
    "python_waits.peers": _wait(
        "goes to waiting for other processes of the job",
        "Collectives and messages end when the last process comes: the time is theirs, or the network's.",
        "[{several?}The rank that waits least is who the others wait for.|Put the files of all processes into one "
        "folder (`rank_0.cprofile`, `rank_1.cprofile` …): the one that waits least is who the others wait for.] If all "
        "wait alike, send less: larger buckets (`bucket_cap_mb=100`), gradients of 16 bits (`fp16_compress_hook`).",
        "Functions of MPI, NCCL, Horovod or `torch.distributed` that wait have so much own time.",
    ),
    "python_waits.workers": _wait(
        "goes to waiting for the processes that load data",
        "What these do is in none of the functions: cProfile sees the process that records.",
        "Start more of them and let them stay ahead: `DataLoader(num_workers=8, persistent_workers=True, "
        "prefetch_factor=4, pin_memory=True)`. To see what they do, record once with `num_workers=0`.",
        "What gets the next batch from worker processes has so much time.",
        "Where the loader has as many processes as the machine has cores, each item has to become cheaper.",
    ),
    "python_waits.others": _wait(
        "goes to waiting for other threads or processes",
        "What these do is in none of the functions: cProfile sees the thread that records.",
        "Its callers show what is waited for. Record the others, too: `py-spy record --subprocesses -f speedscope -o "
        "all.speedscope.json -- python train.py` sees all threads and processes, and opens here.",
        "Locks, pipes and the ends of processes have so much own time, data loaders' left out.",
        "A program whose main thread only starts others waits for them by design.",
    ),
    "python_waits.sleep": _wait(
        "goes to sleeping",
        "Nothing is done meanwhile by this thread.",
        "Wait for the event itself instead of asking again and again (`queue.get()`, `event.wait()`, "
        "`future.result()`), or take the pause out of the loop.",
        "`time.sleep` has so much own time.",
        "A pause between attempts to reach a server is no cost of a step.",
    ),
    "python_loads": _wait(
        "goes to loading data in the process that trains",
        "Nothing is launched meanwhile, and a GPU that has done its work is idle.",
        "Load in other processes, ahead of the step: `DataLoader(num_workers=4, persistent_workers=True, "
        "pin_memory=True)`.",
        "What makes a batch has so much time, what it calls included, and does not run in workers.",
        "A data set that lies in memory as one tensor is indexed faster without workers.",
    ),
    "python_optimizer": _wait(
        "goes to an optimizer that updates one parameter after another",
        "Each update runs several small operations for each parameter.",
        "Update all parameters at once: `torch.optim.Adam(parameters, fused=True)`, or `foreach=True` where there is "
        "no fused one.",
        "The functions of `torch.optim` for single tensors have so much time, what they call included.",
        "On a device they may wait for the work before; `foreach` holds all updates in memory at once.",
    ),
    "python_logs": _wait(
        "goes to logging or printing",
        "With what it calls. Values that are logged are read back from the device first.",
        "Log once in many steps: `if step % 100 == 0:`; a progress bar has a shortest interval "
        "(`tqdm(mininterval=5)`); a `logging.handlers.QueueHandler` writes from another thread.",
        "The largest function that logs, prints, or writes summaries has so much time, what it calls included.",
    ),
    "python_saves": _wait(
        "goes to saving checkpoints",
        "With what it calls: the state is copied from the device, serialized and written.",
        "Save less often, or from another thread: `dcp.async_save`, orbax's "
        "`AsyncCheckpointer`; write to a local disk first.",
        "The largest function that saves a model or a checkpoint has so much time, what it calls included.",
        "A short recording that holds one checkpoint shows more of it than a run does.",
    ),
    "python_imports": _wait(
        "goes to importing modules",
        "It happens once, when the program starts, and hides what its loop does.",
        "Record the loop alone: `p = cProfile.Profile(); p.enable()` after some steps, `p.disable()` before the end. "
        "Where the start itself matters: `python -X importtime train.py 2> imports.txt` shows each module.",
        "The import system has so much time, what it calls included.",
    ),
    "python_slow_host": Text(
        title="{host:quoted} works {excess:duration} longer than the others ({share:percent} of their time): "
        "{function:quoted} takes {function_excess:duration} more there[, called from {caller:quoted}]",
        detail="Of {hosts:count host} it waits least: the others wait for it.",
        action="Compare what it does there: its share of the data, its disk, other programs on that machine "
        "(`top`, `nvidia-smi`), its clock (`cpupower frequency-info`).",
        when="One of several hosts has more time that is no waiting than the others' median, and a function that works "
        "has a part of it.",
        unless="A rank that logs and saves for all does more by design.",
        examples=(
            {
                "host": "rank_2",
                "hosts": 4,
                "excess": 2 * 10**12,
                "share": 0.2,
                "function": "train.py:12(load)",
                "function_excess": 10**12,
                "caller": "train.py:42(step)",
            },
            {
                "host": "rank_2",
                "hosts": 4,
                "excess": 2 * 10**12,
                "share": 0.2,
                "function": "train.py:12(load)",
                "function_excess": 10**12,
                "caller": None,
            },
        ),
    ),
}
