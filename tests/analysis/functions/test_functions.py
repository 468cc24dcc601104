"""Functions of a dump, of one host and of several added up; what their time waits for; the tree of calls."""

from __future__ import annotations

import pstats
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.functions import (
    Functions,
    Part,
    Wait,
    icicle,
    is_library,
    largest_of,
    own_caller,
    ranks,
    slow_host,
    waits_of,
)
from tests.build_python_stats import Stats, run_of

S = 1e12
#: How pstats prints a function.
std_string: Any = vars(pstats)["func_std_string"]


def test_hosts_are_added_up_as_pstats_does(tmp_path: Path) -> None:
    first = Stats().function("a.py:1(f)", 1, 3, calls=4, primitive=2)
    first.function("a.py:2(g)", 2, callers={"a.py:1(f)": (1, 1, 2, 2)})
    second = (
        Stats().function("a.py:2(g)", 4, callers={"a.py:1(f)": (2, 2, 3, 3)}, calls=5).function("a.py:1(f)", 0.5, 9)
    )
    run = run_of(first, second)
    added: Any = pstats.Stats(str(first.write(tmp_path / "a.prof")))
    added.add(str(second.write(tmp_path / "b.prof")))
    sums, edges = run.all.sums, run.all.edges
    assert {
        name: (int(sums.primitive[i]), int(sums.calls[i]), sums.own_ps[i] / S, sums.cumulative_ps[i] / S)
        for i, name in enumerate(run.all.names)
    } == {std_string(key): row[:4] for key, row in added.stats.items()}
    assert [(*row, *times) for *row, times in _edges(run.all)] == [("a.py:1(f)", "a.py:2(g)", 3, 3, 5.0, 5.0)]
    assert edges.calls.tolist() == [3]
    assert (run.hosts, (run.own_ps / S).tolist()) == (("rank_0", "rank_1"), [[1, 2], [0.5, 4]])


def _edges(functions: Functions) -> list[Any]:
    e = functions.edges
    return [
        (
            functions.names[a],
            functions.names[b],
            (int(e.calls[i]), int(e.primitive[i]), e.own_ps[i] / S, e.cumulative_ps[i] / S),
        )
        for i, (a, b) in enumerate(zip(functions.caller.tolist(), functions.called.tolist(), strict=True))
    ]


def test_what_one_host_does_not_record_is_unknown() -> None:
    """The module profile counts the calls of a caller, and nothing else."""
    known = Stats().function("a.py:1(f)", 1).function("a.py:2(g)", 1, callers={"a.py:1(f)": (1, 1, 1, 1)})
    counted = Stats().function("a.py:1(f)", 1).function("a.py:2(g)", 1, callers={"a.py:1(f)": 5})
    edges = run_of(known, counted).all.edges
    assert (edges.calls.tolist(), edges.primitive.tolist(), str(edges.own_ps.tolist())) == ([6], [-1], "[nan]")


def test_the_nearest_function_of_the_program_itself() -> None:
    library = "/usr/lib/python3.11/site-packages/torch/optim/adam.py:3(step)"
    stats = (
        Stats()
        .function("train.py:1(main)", 0, 4)
        .function("train.py:2(loop)", 0, 4, callers={"train.py:1(main)": (1, 1, 0, 4)})
    )
    stats.function(library, 1, 4, callers={"train.py:2(loop)": (1, 1, 1, 3), "train.py:1(main)": (9, 9, 0, 1)})
    stats.function("<built-in method torch.add>", 3, callers={library: (1, 1, 3, 3)})
    functions = stats.functions()
    assert [own_caller(functions, row) for row in range(4)] == [-1, 0, 1, 1]
    assert [is_library(file) for file in ("train.py", "/a/lib/x.py", "<frozen os>", "/a/lib64/python3.9/re.py")] == [
        *(False, False, True, True)
    ]


def test_callers_that_call_each_other_end() -> None:
    stats = Stats().function("<a>:1(f)", 1, callers={"<a>:2(g)": (1, 1, 1, 1)})
    stats.function("<a>:2(g)", 1, callers={"<a>:1(f)": (1, 1, 1, 1)})
    assert own_caller(stats.functions(), 0) == -1


def _tree(stats: Stats, limit: int = 0) -> list[tuple[int, str, float, float, bool]]:
    functions = stats.functions()
    tree = icicle(functions, limit)
    names = [functions.functions[row] for row in tree.function.tolist()]
    columns = (tree.depth.tolist(), names, (tree.time_ps / S).tolist(), (tree.own_ps / S).tolist(), tree.exact)
    return [(d, name, round(t, 6), round(o, 6), e) for d, name, t, o, e in zip(*columns, strict=True)]


def test_a_tree_of_functions_with_one_caller_each_is_exact() -> None:
    stats = Stats().function("a:1(main)", 1, 10)
    stats.function("a:2(load)", 3, 3, callers={"a:1(main)": (1, 1, 3, 3)})
    stats.function("a:3(train)", 2, 6, callers={"a:1(main)": (1, 1, 2, 6)})
    stats.function("a:4(step)", 4, 4, callers={"a:3(train)": (5, 5, 4, 4)}, calls=5)
    assert _tree(stats) == [
        (0, "main", 10, 1, True),
        (1, "train", 6, 2, True),
        (2, "step", 4, 4, True),
        (1, "load", 3, 3, True),
    ]
    assert [name for _, name, *_ in _tree(stats, 2)] == ["main", "train"]


def test_time_is_divided_among_callers_by_what_they_gave() -> None:
    """`sort` took 3 s from f and 1 s from g; a quarter of what it calls is therefore g's."""
    stats = Stats().function("a:1(f)", 0, 3).function("a:2(g)", 0, 1)
    stats.function("a:3(sort)", 2, 4, callers={"a:1(f)": (1, 1, 1.5, 3), "a:2(g)": (1, 1, 0.5, 1)}, calls=2)
    stats.function("a:4(key)", 2, 2, callers={"a:3(sort)": (8, 8, 2, 2)}, calls=8)
    assert _tree(stats) == [
        (0, "f", 3, 0, True),
        (1, "sort", 3, 1.5, True),
        (2, "key", 1.5, 1.5, False),
        (0, "g", 1, 0, True),
        (1, "sort", 1, 0.5, True),
        (2, "key", 0.5, 0.5, False),
    ]


def test_modules_within_modules_lie_in_each_other() -> None:
    """`call` runs net's forward, that calls `call` again for a layer: all forwards are callees of the one `call`."""
    stats = Stats().function("a:1(call)", 0, 8, calls=2, primitive=1, callers={"a:2(net)": (1, 1, 0, 6)})
    stats.function("a:2(net)", 2, 8, callers={"a:1(call)": (1, 1, 2, 8)})
    stats.function("a:3(layer)", 6, 6, callers={"a:1(call)": (1, 1, 6, 6)})
    assert [(depth, name, time) for depth, name, time, *_ in _tree(stats)] == [
        (0, "call", 8.0),
        (1, "net", 8.0),
        (2, "call", 6.0),
        (3, "layer", 4.5),
    ]


def test_calls_without_times_are_divided_by_their_number() -> None:
    stats = Stats().function("a:1(f)", 0, 3).function("a:2(g)", 0, 1)
    stats.function("a:3(h)", 4, callers={"a:1(f)": 3, "a:2(g)": 1}, calls=4)
    assert [(name, time) for _, name, time, *_ in _tree(stats)] == [("f", 3.0), ("h", 3.0), ("g", 1.0), ("h", 1.0)]


def test_the_narrowest_row_of_the_tree() -> None:
    for share, shown in ((1.98e-4, 1), (2.02e-4, 2)):
        stats = Stats().function("a:1(f)", 1 - share, 1)
        stats.function("a:2(g)", share, callers={"a:1(f)": (1, 1, share, share)})
        assert len(_tree(stats)) == shown


def test_what_was_called_by_nothing_recorded_is_outermost() -> None:
    """Recording began within `main`: `step` was called from there, and from `warm` that was recorded."""
    stats = Stats().function("a:1(warm)", 0, 1)
    stats.function("a:2(step)", 3, calls=3, callers={"a:1(warm)": (1, 1, 1, 1)})
    assert [(depth, name, time) for depth, name, time, *_ in _tree(stats)] == [
        (0, "step", 2.0),
        (0, "warm", 1.0),
        (1, "step", 1.0),
    ]


WAIT = "<built-in method torch._C._distributed_c10d.wait>"


def test_the_host_that_works_longest_is_slow() -> None:
    """All end together; rank 2 waits least, and loads longer."""
    hosts = [
        Stats().function("a:1(load)", load).function("a:2(step)", 3).function(WAIT, 7 - load) for load in (1, 2, 6)
    ]
    run = run_of(*hosts)
    found = ranks(run)
    assert (found.total_ps / S).tolist() == [10, 10, 10]
    assert (found.busy_ps / S).tolist() == [4, 5, 9]
    assert (found.wait_ps[Wait.PEERS] / S).tolist() == [6, 5, 1]
    assert [(found.mean_ps / S)[0], (found.min_ps / S)[0], (found.max_ps / S)[0]] == [3, 1, 6]
    assert (found.sd_ps / S)[0] == pytest.approx((14 / 3) ** 0.5)
    assert (found.slowest.tolist(), found.fastest.tolist()[0]) == ([2, 0, 0], 0)
    slow = slow_host(run, found)
    assert slow is not None
    assert (slow.host, slow.excess_ps / S, slow.function, slow.function_excess_ps / S) == ("rank_2", 4.5, 0, 4.5)


def test_one_host_is_not_slow() -> None:
    run = run_of(Stats().function("a:1(load)", 3))
    assert slow_host(run, ranks(run)) is None


def test_a_host_that_has_a_function_alone() -> None:
    run = run_of(Stats().function("a:1(f)", 1), Stats().function("a:1(f)", 1).function("a:2(save)", 5))
    slow = slow_host(run, ranks(run))
    assert slow is not None
    assert (slow.host, run.all.names[slow.function], slow.excess_ps / S) == ("rank_1", "a:2(save)", 5)


WAITS: dict[Wait | None, tuple[str, ...]] = {
    Wait.GPU: (
        "<method 'item' of 'torch._C.TensorBase' objects>",
        "<method 'cpu' of 'torch._C._TensorBase' objects>",
        "<built-in method torch._C._cuda_synchronize>",
        "<method 'synchronize' of 'torch._C._CudaEventBase' objects>",
        "/x/site-packages/jax/_src/array.py:640(_value)",
        "/x/site-packages/jax/_src/api.py:2900(block_until_ready)",
        "/x/site-packages/jax/_src/api.py:2490(try_to_block)",
        "<method '_numpy_internal' of 'tensorflow.python.framework.ops.EagerTensor' objects>",
        "<built-in method cupy_backends.cuda.api.runtime.streamSynchronize>",
        "<method 'get' of 'cupy._core.core._ndarray_base' objects>",
    ),
    Wait.PEERS: (
        "<built-in method torch._C._distributed_c10d.wait>",
        "<method 'wait' of 'torch._C._distributed_c10d.Work' objects>",
        "<method 'Allreduce' of 'mpi4py.MPI.Comm' objects>",
        "<built-in method cupy.cuda.nccl.groupEnd>",
    ),
    Wait.OTHERS: (
        "<method 'acquire' of '_thread.lock' objects>",
        "<method 'poll' of 'select.poll' objects>",
        "<built-in method posix.waitpid>",
        "<method 'recv' of '_socket.socket' objects>",
        "<method 'control' of 'select.kqueue' objects>",
        "/x/site-packages/zmq/sugar/poll.py:80(poll)",
        "zmq/backend/cython/_zmq.py:1360(recv)",
        "<built-in method zmq.backend.cython._zmq.zmq_poll>",
        "<method 'poll' of 'grpc._cython.cygrpc.CompletionQueue' objects>",
        "<method 'run_until_complete' of 'uvloop.Loop' objects>",
    ),
    Wait.SLEEP: ("<built-in method time.sleep>",),
    None: (
        "<method 'tolist' of 'torch._C.TensorBase' objects>",
        "/x/site-packages/jax/_src/api.py:2901(jit)",
        "<method 'get' of 'dict' objects>",
        "<method 'Get_rank' of 'mpi4py.MPI.Comm' objects>",
        "<built-in method builtins.sum>",
        "a.py:3(synchronize)",
        "/x/site-packages/zmq/sugar/socket.py:90(send)",
    ),
}


def test_what_a_name_waits_for() -> None:
    """What reads a tensor waits where a GPU is used."""
    assert {
        kind: [waits_of(Stats().function(name, 1).functions()) for name in names] for kind, names in WAITS.items()
    } == {kind: [(kind,)] * len(names) for kind, names in WAITS.items()}
    read = "<method 'nonzero' of 'torch._C.TensorBase' objects>"
    used = Stats().function(read, 1).function("<built-in method torch._C._cuda_getCurrentRawStream>", 0)
    assert waits_of(used.functions())[0] is Wait.GPU


def test_parts_of_a_program() -> None:
    parts = {
        "/x/torch/utils/data/dataloader.py:1120(_try_get_data)": Part.WORKERS,
        "/x/chainer/iterators/multiprocess_iterator.py:300(get)": Part.WORKERS,
        "/x/torch/utils/data/_utils/fetch.py:47(fetch)": Part.LOADING,
        "/x/torch/optim/sgd.py:336(_single_tensor_sgd)": Part.OPTIMIZER,
        "/x/torch/optim/_functional.py:53(adam)": Part.OPTIMIZER,
        "<frozen importlib._bootstrap>:1022(_find_and_load)": Part.IMPORTS,
        "/x/logging/__init__.py:1514(_log)": Part.LOGGING,
        "<built-in method builtins.print>": Part.LOGGING,
        "/x/tensorboardX/writer.py:300(add_scalar)": Part.LOGGING,
        "/x/torch/serialization.py:800(save)": Part.CHECKPOINTS,
        "/x/transformers/modeling_utils.py:9(save_pretrained)": Part.CHECKPOINTS,
    }
    found = {}
    for name in parts:
        functions = Stats().function("a.py:1(f)", 9).function(name, 1).functions()
        [found[name]] = [each for each in Part if largest_of(functions, each) >= 0]
        assert largest_of(functions, found[name]) == 1
    assert found == parts
    # The largest function stands for its part.
    both = Stats().function("<built-in method builtins.print>", 1).function("/x/logging/__init__.py:9(_log)", 0, 2)
    assert largest_of(both.functions(), Part.LOGGING) == 1
