"""Built captures → the whole split of each step, in ps."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.split.split import Split, split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX
from tests.build_capture import Line, Plane, Space, StatValue
from tests.timeline.timelines import timeline

Parts = dict[str, int]


def host(space: Space, steps: list[tuple[int, int]], name: str = "train") -> tuple[Plane, Line]:
    """A host whose Python thread marks steps (begin, duration)."""
    plane = space.plane("/host:CPU")
    line = plane.line(1, "python")
    for number, (begin, duration) in enumerate(steps):
        line.event(name, begin, duration, {"step_num": number, "_r": 1})
    return plane, line


def gpu(space: Space, ordinal: int = 0) -> Line:
    return space.plane(f"/device:GPU:{ordinal}", id=ordinal).line(7, "Stream #7(Compute)")


def split(space: Space) -> Split:
    found = split_of(timeline(space))
    found.steps.check()
    found.check()
    return found


def exposed(space: Space, unit: int = 0) -> list[Parts]:
    """Of each step what is not zero."""
    return [_parts(row) for row in split(space).exposed_ps[unit]]


def union(space: Space, unit: int = 0) -> list[Parts]:
    return [_parts(row) for row in split(space).union_ps[unit]]


def _parts(row: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Parts:
    return {c.key: int(ps) for c, ps in zip(CATEGORIES, row, strict=True) if ps}


def test_a_step_on_a_cpu() -> None:
    """Ops on another thread, while the thread that marks the step waits for them."""
    space = Space()
    plane, python = host(space, [(0, 900), (1000, 900)])
    python.event("TFE_Py_Execute", 100, 700).event("KernelAndDeviceFunc::Run", 150, 600)
    pool = plane.line(2, "tf_Compute/1")
    pool.event("ExecutorState::Process", 200, 400).event("dense/MatMul:MatMul", 250, 300)
    found = split(space)
    assert [u.plane for u in found.units] == [-1]
    assert exposed(space) == [
        # runtime: 100 to 150, 200 to 250, 550 to 600, 750 to 800; waiting: 150 to 200, 600 to 750
        {"op_compute": 300, "runtime": 200, "waiting": 200, "python": 300},
        {"python": 900},
    ]
    assert union(space)[0] == {"op_compute": 300, "runtime": 200, "waiting": 600, "python": 300}


def test_the_wall_time_reaches_to_the_next_step() -> None:
    space = Space()
    host(space, [(0, 100), (1000, 100), (5000, 100)])
    assert exposed(space) == [{"python": 1000}, {"python": 4000}, {"python": 100}]


def test_an_op_that_crosses_into_the_next_step_counts_in_both() -> None:
    """On the thread that marks them: in both by its time, while the next step's own op counts once."""
    space = Space()
    _, python = host(space, [(0, 990), (1000, 990)])
    python.event("dense/MatMul:MatMul", 800, 400).event("dense/MatMul:MatMul", 1100, 200)
    assert exposed(space) == [{"op_compute": 200, "python": 800}, {"op_compute": 300, "python": 690}]


def test_input_wait_by_asking_and_work_of_the_pipeline() -> None:
    """The step waits 500 for its element. What prepares it on other threads is none of the step's compute."""
    space = Space()
    plane, python = host(space, [(0, 1000), (1000, 0)])
    python.event("KernelAndDeviceFunc::Run", 0, 1000)
    pool = plane.line(2, "tf_data_iterator_get_next/1")
    pool.event("IteratorGetNextOp::DoCompute", 100, 500, {"_pt": 7, "_p": 1}).event(
        "Iterator::Root::Prefetch", 110, 480
    )
    ahead = plane.line(3, "tf_data_private_threadpool/1")
    ahead.event("ParseExample/ParseExampleV2:ParseExampleV2", 0, 800)
    # Without threads of its own the pipeline runs on those of the step, told by what caused it.
    called = {"_pt": 2, "_p": 5}
    plane.line(4, "pool").event("InstantiatedCapturedFunction::RunAsync", 0, 10, called)
    plane.line(5, "tf_Compute/1").event("ExecutorState::Process", 20, 900, {"_ct": 2, "_c": 5}).event(
        "map/Decode:DecodeJpeg", 30, 800
    )
    assert exposed(space)[0] == {"input_wait": 500, "waiting": 500}


def test_a_step_that_maps_its_input_itself_waits_for_it() -> None:
    """No thread works ahead: the ops of the map function run within the call for the next element."""
    space = Space()
    _, python = host(space, [(0, 1000), (1000, 0)])
    python.event("EagerLocalExecute: IteratorGetNext", 100, 600).event("Iterator::Root::Map", 150, 500)
    python.event("InstantiatedCapturedFunction::Run", 160, 400).event("parse/Sum:Sum", 170, 300)
    python.event("model/MatMul:MatMul", 800, 100)
    assert exposed(space)[0] == {"op_compute": 100, "input_wait": 600, "python": 300}


def test_input_of_a_python_generator() -> None:
    """On the program's own thread; a loader's thread works ahead."""
    space = Space()
    plane, python = host(space, [(0, 1000), (1000, 0)], name="batch")
    python.event("$builtins next", 0, 300).event("$train.py:7 batches", 10, 280).event("$time sleep", 20, 200)
    python.event("$train.py:9 load_batch", 400, 100)
    python.event("enumerate(DataLoader)#_Iter.__next__", 600, 50)
    python.event("read", 700, 100, [("_ipl_stage_id", 3), ("_ipl_stage_name", "read")])
    plane.line(2, "python").event("$builtins next", 0, 1000)
    assert exposed(space)[0] == {"input_wait": 550, "python": 450}


def test_a_loop_over_a_dataset_in_a_function_computes_on_threads_of_the_pipeline() -> None:
    """`for batch in dataset` in a tf.function; the dataset's own map is no part of the step."""
    space = Space()
    plane, _ = host(space, [(0, 100)])
    reducer = plane.line(5, "tf_data_reduce_dataset/5")
    reducer.event("ReduceDatasetOp::DoCompute", 0, 90).event("MakeIterator::RootDataset", 5, 15)
    ahead = plane.line(6, "tf_data_prefetch/6")
    ahead.event("ReduceIterator::Root::Prefetch::Scan", 20, 70)
    ahead.event("ReduceIterator::Root::Prefetch::Scan::Map", 21, 9).event("load:DecodeJpeg", 22, 8)
    ahead.event("InstantiatedCapturedFunction::Run", 40, 40).event("dense/MatMul:MatMul", 45, 30)
    # The loop waits for the map's 9 ms.
    assert exposed(space) == [{"input_wait": 24, "runtime": 36, "op_compute": 30, "python": 10}]


def test_a_function_that_reduces_a_dataset_waits_for_its_elements() -> None:
    space = Space()
    plane, _ = host(space, [(0, 100)])
    reducer = plane.line(5, "tf_data_reduce_dataset/5")
    reducer.event("ReduceDatasetOp::DoCompute", 0, 100).event("ReduceIterator::Root::MapAndBatch", 10, 60)
    assert exposed(space) == [{"input_wait": 60, "runtime": 40}]


def test_an_op_goes_on_while_it_waits_for_its_own_pieces() -> None:
    """They run on threads that record nothing."""
    space = Space()
    plane, _ = host(space, [(0, 1000), (1000, 0)])
    pool = plane.line(2, "tf_XLAPjRtCpuClient/1")
    pool.event("dot.1", 100, 500, {"hlo_op": "dot.1", "hlo_module": "jit_f"}).event("SlinkyThreadPool::Await", 300, 250)
    assert exposed(space)[0] == {"op_compute": 500, "python": 500}


def test_eager_ops_compute_within_their_kernel_alone() -> None:
    space = Space()
    _, python = host(space, [(0, 1000), (1000, 0)])
    python.event("TFE_Py_FastPathExecute_C", 100, 500).event("EagerLocalExecute: MatMul", 150, 400)
    python.event("EagerKernelExecute", 300, 200).event("KernelAndDeviceFunc::Run", 310, 180)
    assert exposed(space)[0] == {"op_compute": 200, "runtime": 300, "python": 500}


def test_a_function_that_is_traced_compiles_until_it_runs() -> None:
    space = Space()
    _, python = host(space, [(0, 1000), (1000, 1000), (2000, 0)])
    for begin, how in ((0, "traced-nonXla"), (1000, "notTraced-nonXla")):
        python.event("step", begin + 100, 800, {"tf_function_call": how})
        python.event("tf.constant", begin + 150, 50).event("EagerLocalExecute: __inference_step_5", begin + 400, 450)
        python.event("EagerKernelExecute", begin + 700, 100)
    assert exposed(space)[:2] == [
        {"compilation": 700, "runtime": 100, "python": 200},
        {"runtime": 800, "python": 200},
    ]


def test_classes_of_a_cpus_host() -> None:
    space = Space()
    plane, python = host(space, [(0, 10_000), (10_000, 0)])
    python.event("backend_compile_and_load", 0, 1000).event("$file.py:1 f", 100, 800)
    python.event("save_checkpoint", 1000, 500).event("CommonPjRtBuffer::Await", 1100, 100)
    python.event("PjitFunction(f)", 2000, 1000).event("$pjit.py:12 call", 2100, 500)
    python.event("$api.py:9 block_until_ready", 3000, 1000)
    python.event("a person's own", 5000, 1000).event("tf.constant", 5100, 100)
    python.event("ThreadpoolListener::Record", 7000, 0)
    plane.line(2, "tf_Compute/1").event("StatefulPartitionedCall/save/SaveV2:SaveV2", 8000, 300)
    plane.line(3, "collective_ops/1").event("sgd/CollectiveReduceV2:CollectiveReduceV2", 9000, 400)
    assert exposed(space)[0] == {
        "collective": 400,
        "compilation": 1000,
        "output": 800,
        "runtime": 1100,
        "waiting": 1000,
        "python": 5700,
    }


def test_an_xla_op_on_a_cpu_goes_on_until_its_end_is_told() -> None:
    """Its own event ends when it is started; other threads run it."""
    space = Space()
    plane, python = host(space, [(0, 1000), (1000, 0)])
    python.event("PjitFunction(f)", 0, 100)
    pool = plane.line(2, "tf_XLAPjRtCpuClient/1")
    facts: dict[str, StatValue] = {"hlo_op": "convolution.1", "hlo_module": "jit_f", "_pt": 0, "_p": 3}
    pool.event("convolution.1", 100, 50, facts)
    pool.event("ThunkExecutor::Execute (wait for completion)", 160, 800)
    plane.line(3, "tf_XLAEigen/1").event("end: convolution.1", 900, 10, {"_ct": 0, "_c": 3})
    assert exposed(space)[0] == {"op_compute": 800, "runtime": 110, "waiting": 50, "python": 40}


def test_a_step_on_a_gpu() -> None:
    """The priority: what the device does, then why it does nothing."""
    space = Space()
    _, python = host(space, [(0, 1000), (1000, 0)])
    python.event("IteratorGetNext:IteratorGetNext", 0, 100)
    python.event("FunctionRun", 100, 500).event("dense/MatMul:MatMul", 150, 100)
    python.event("cuLaunchKernel", 200, 20, {"correlation_id": 1})
    python.event("dense/Shape:Shape", 500, 50)
    stream = gpu(space)
    stream.event("ampere_fp16_s16816gemm_fp16_128x128", 300, 100, {"correlation_id": 1})
    stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 350, 100)
    stream.event("MemcpyD2H", 440, 20)
    stream.event("Memset 0", 900, 10)
    assert exposed(space)[0] == {
        "compute_16bit": 100,
        "collective": 50,
        "copy_out": 10,
        "copy_device": 10,
        "input_wait": 100,
        # The op that launches, from 150 on, and until the kernel begins.
        "launch": 150,
        "host_compute": 50,
        "runtime": 140,
        "python": 390,
    }
    hidden = union(space)[0]
    assert hidden["collective"] == 100
    assert hidden["copy_out"] == 20
    assert hidden["runtime"] == 350


def test_each_device_has_its_own_split() -> None:
    space = Space()
    host(space, [(0, 1000), (1000, 0)])
    gpu(space, 0).event("volta_sgemm_128x64_nn", 0, 1000)
    gpu(space, 1).event("triton_poi_fused_0", 0, 400)
    gpu(space, 2)
    found = split(space)
    assert [(u.name, u.kind) for u in found.units] == [("/device:GPU:0", "gpu"), ("/device:GPU:1", "gpu")]
    assert exposed(space, 0)[0] == {"compute_32bit": 1000}
    assert exposed(space, 1)[0] == {"compute_other": 400, "python": 600}


def test_copies_by_what_says_where_they_go() -> None:
    """By name, else by details, else by the call that launched them."""
    space = Space()
    plane, _ = host(space, [(0, 1000), (1000, 0)])
    plane.line(9, "Host Threads/9").event("hipMemcpyHtoDAsync", 0, 10, {"correlation_id": 4})
    stream = gpu(space)
    stream.event("MemcpyH2D", 100, 1).event("MemcpyP2P", 110, 2)
    stream.event("MemcpyOther", 120, 4, {"memcpy_details": "kind_src:device kind_dst:pinned size:4 dest:0 async:1"})
    stream.event("MemcpyOther", 130, 8, {"memcpy_details": "kind_src:pageable kind_dst:device size:4 dest:0 async:1"})
    stream.event("MemcpyOther", 140, 16)
    stream.event("__amd_rocclr_copyBuffer.kd", 200, 32, {"correlation_id": 4})
    stream.event("__amd_rocclr_copyBuffer.kd", 300, 64)
    found = exposed(space)[0]
    assert found["copy_in"] == 1 + 8 + 32
    assert found["copy_out"] == 4
    assert found["copy_device"] == 2 + 16 + 64


def test_a_step_on_a_tpu() -> None:
    """Ops nest on a TPU's line; the innermost counts."""
    space = Space()
    _, python = host(space, [(0, 1000), (1000, 0)])
    python.event("PjitFunction(f)", 0, 100)
    plane = space.plane("/device:TPU:0")
    ops = plane.line(1, "XLA Ops")
    texts = {
        "%while.1 = (s32[], bf16[8]{0}) while((s32[], bf16[8]{0}) %t), body=%b": (100, 500),
        "%fusion.1 = bf16[8,128]{1,0:T(8,128)} fusion(bf16[8,128]{1,0} %p), kind=kLoop": (150, 100),
        "%all-reduce-done.1 = f32[8]{0} all-reduce-done(f32[8]{0} %s)": (250, 50),
        "%copy-done.1 = f32[8]{0} copy-done((f32[8]{0}, f32[8]{0:S(5)}, u32[]{:S(2)}) %c)": (300, 30),
        "%copy-done.2 = f32[8]{0:S(1)} copy-done((f32[8]{0:S(1)}, f32[8]{0}, u32[]{:S(2)}) %c)": (330, 20),
        "%infeed.1 = ((f32[8]{0}), token[]) infeed(token[] %t)": (600, 200),
        "%outfeed.1 = token[] outfeed(f32[8]{0} %a, token[] %t)": (800, 40),
    }
    for text, (begin, duration) in texts.items():
        ops.event(text, begin, duration)
    assert [u.kind for u in split(space).units] == ["tpu"]
    assert exposed(space)[0] == {
        "compute_16bit": 100,
        # The loop itself, whose result begins with its counter.
        "compute_32bit": 300,
        "collective": 50,
        "copy_device": 20,
        "copy_in": 30,
        "input_wait": 200,
        "output": 40,
        "runtime": 100,
        "python": 160,
    }


def test_steps_that_overlap_are_divided_each_by_itself() -> None:
    space = Space()
    plane, _ = host(space, [(0, 600), (1000, 0)])
    other = plane.line(2, "worker")
    other.event("train", 500, 600, {"step_num": 7, "_r": 1}).event("train", 1500, 0, {"step_num": 8, "_r": 1})
    plane.line(3, "tf_Compute/1").event("a/MatMul:MatMul", 400, 400)
    found = dict(zip(split(space).steps.number.tolist(), exposed(space), strict=True))
    assert found[0] == {"op_compute": 400, "python": 600}
    assert found[7] == {"op_compute": 300, "python": 700}


def test_without_steps_there_is_nothing_to_divide() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("something", 0, 5)
    found = split(space)
    assert found.exposed_ps.shape == (1, 0, len(CATEGORIES))
    assert found.left_out == 0


def test_a_number_is_proven_by_its_intervals() -> None:
    """In the whole step that has most of it; here, where these are few, they add up to it."""
    space = Space()
    plane, python = host(space, [(0, 800), (1000, 900)])
    python.event("IteratorGetNext:IteratorGetNext", 50, 100)
    plane.line(2, "tf_Compute/1").event("ExecutorState::Process", 300, 1400)
    stream = gpu(space)
    for begin, duration in ((0, 100), (200, 300), (600, 10), (1500, 20)):
        stream.event("volta_sgemm_128x64_nn", begin, duration)
    gpu(space, 1).event("fusion", 900, 300)
    found = split(space)
    assert found.longest[0, INDEX["compute_32bit"]] == ((200, 500), (0, 100), (600, 610))
    assert found.longest[0, INDEX["input_wait"]] == ((100, 150),)
    assert found.longest[0, INDEX["runtime"]][:2] == ((610, 1000), (500, 600))
    assert (0, INDEX["idle"]) not in found.longest
    for (unit, category), stretches in found.longest.items():
        assert len(stretches) == 3 or sum(e - b for b, e in stretches) == found.exposed_ps[unit, 0, category]


def test_what_nothing_explains_is_proven_too() -> None:
    space = Space()
    plane = space.plane("/device:TPU:0")
    for begin in (0, 1000):
        plane.line(1, "Steps").event(str(begin), begin, 600)
        plane.line(2, "XLA Ops").event("%add = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b)", begin + 100, 400)
    assert exposed(space)[0] == {"compute_32bit": 400, "idle": 600}
    assert split(space).longest[0, INDEX["idle"]] == ((500, 1000), (0, 100))


@pytest.mark.parametrize(("around", "waits"), [(1, 40), (3, 40), (4, 0)])
def test_a_loop_in_a_function_waits_where_its_stage_asks_for_an_element(around: int, waits: int) -> None:
    """With `break` there is a `TakeWhile`, too; the prefetch that TensorFlow adds hid all of it as its own work.

    Three stages around the loop's body run it; what lies deeper is the pipeline's.
    """
    space = Space()
    plane, _ = host(space, [(0, 100)])
    reducer, loop = plane.line(5, "tf_data_reduce_dataset/5"), "ReduceIterator::Root::Prefetch::TakeWhile"
    reducer.event("ReduceDatasetOp::DoCompute", 0, 100).event("ReduceIterator::Root", 0, 100)
    ahead = plane.line(6, "tf_data_private_threadpool/6")
    for name in ["PrefetchProduce"] * around:
        ahead.event(name, 0, 100)
    ahead.event(f"{loop}::Scan", 0, 100).event(f"{loop}::Scan::MapAndBatch", 10, 40)
    ahead.event("InstantiatedCapturedFunction::Run", 60, 40).event("dense/MatMul:MatMul", 65, 30)
    found = exposed(space)[0]
    assert found.get("input_wait", 0) == waits
    assert waits == 0 or found == {"input_wait": 40, "runtime": 30, "op_compute": 30}
