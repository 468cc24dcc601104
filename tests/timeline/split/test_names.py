"""Names of events of hosts and devices → what they stand for."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import CATEGORIES, Op
from tensorboard_perfplugin.timeline.split import (
    HostClass,
    category_of_instruction,
    category_of_kernel,
    class_of_name,
    class_of_op,
)

NAMES = {
    HostClass.INPUT: ["IteratorGetNextOp::DoCompute", "IteratorGetNextAsOptionalOp::DoCompute"],
    HostClass.NEXT: [
        "EagerLocalExecute: IteratorGetNextSync",
        "Iterator::Root::Prefetch",
        "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
        "$builtins next",
        "$iterator_ops.py:826 __next__",
        "$dataset_iterator.py:40 __next__",
        "$train.py:12 get_batch",
        "$train.py:30 batches",
        "$queue.py:154 get",
        "$queues.py:101 get",
        "$loop.py:3 data_generator",
        "$loop.py:3 load_next_batch",
        "load_data",
    ],
    HostClass.PIPELINE: [
        "PrefetchProduce",
        "MapAndBatchConsume",
        "InstantiatedCapturedFunction::RunAsync",
        "MakeIterator::Zip",
    ],
    HostClass.COMPILATION: [
        "backend_compile",
        "backend_compile_and_load",
        "$compiler.py:299 backend_compile_and_load",
        "PjRtCpuClient::Compile",
        "TfrtCpuClient::Compile",
        "TfrtTpuCompiler::Compile",
        "GpuCompiler::RunHloPasses",
        "XlaCompile",
        "XlaCompilationCache::Compile",
        "XLA::TPU run hlo passes",
        "lower_sharding_computation",
        "trace_to_jaxpr_dynamic",
        "$pjit.py:1300 _pjit_lower",
        "tf.function-graph_building",
        "cuModuleLoadData",
    ],
    HostClass.ALLOCATES: [
        "cuMemAlloc_v2",
        "hipFree",
        "hipMalloc",
        "cudaMalloc",
        "cudaFree",
        "cudaHostAlloc",
        "cuMemCreate",
    ],
    HostClass.COLLECTIVE: ["gloo:all_reduce", "mpi:broadcast", "CollectiveExecutor::Execute"],
    HostClass.OUTPUT: [
        "EagerLocalExecute: WriteSummary",
        "EagerLocalExecute: SaveV2",
        "$checkpoint_manager.py:9 save",
        "$numpy savez",
        "save_checkpoint",
    ],
    HostClass.WAITING: [
        "ThunkExecutor::Execute (wait for completion)",
        "CommonPjRtBuffer::Await",
        "$api.py:3050 block_until_ready",
        "cuStreamSynchronize",
        "cudaDeviceSynchronize",
        "hipEventSynchronize",
        "cudaMemcpy",
        "cudaMemcpy2D_v3020",
        "cuMemcpyDtoH_v2",
        "hipMemcpyWithStream",
        "hipMemcpyHtoD",
        "AscendCL@aclrtSynchronizeStream",
        "Acquire semaphore",
        "BlockHostUntilDone",
        "$threading.py:320 wait",
        "np.asarray(jax.Array)",
    ],
    HostClass.LAUNCH: [
        "cuLaunchKernelEx",
        "cudaGraphLaunch",
        "hipExtModuleLaunchKernel",
        "hipMemcpyHtoDAsync",
        "cudaMemcpyPeerAsync",
        "cuMemcpyDtoD_v2",
        "MemcpyH2D",
        "tpu::System::Execute",
        "DoEnqueueProgram",
    ],
    HostClass.RUNTIME: [
        "EagerExecute",
        "ExecutorState::Process",
        "PjitFunction(train_step)",
        "TFE_Py_ExecuteCancelable",
    ],
    HostClass.PYTHON: [
        "$train.py:12 main",
        "$builtins len",
        "$time sleep",
        "$nn.py:3 batch_norm",
        "$callback.py:4 on_train_batch_end",
    ],
    # The last is an operator of compiled code, which computes.
    HostClass.UNKNOWN: [
        *("train", "inner", "forward pass", "step 12", "validation", "batch_norm", "dense/MatMul:MatMul"),
        "CompiledFunction",
    ],
}


@pytest.mark.parametrize("kind", NAMES, ids=[kind.name for kind in NAMES])
def test_host_events(kind: HostClass) -> None:
    assert {name: class_of_name(name).name for name in NAMES[kind]} == dict.fromkeys(NAMES[kind], kind.name)


@pytest.mark.parametrize(
    ("op", "kind"),
    [
        (Op("dense/MatMul", "MatMul"), HostClass.OP),
        (Op("Iterator::Root", "Dataset::Root"), HostClass.NEXT),
        (Op("IteratorGetNext", "IteratorGetNext"), HostClass.INPUT),
        (Op("q", "QueueDequeueManyV2"), HostClass.INPUT),
        (Op("sgd/CollectiveReduceV2", "CollectiveReduceV2"), HostClass.COLLECTIVE),
        (Op("NcclAllReduce", "NcclAllReduce"), HostClass.COLLECTIVE),
        (Op("all-reduce.3", "all-reduce", "jit_f"), HostClass.COLLECTIVE),
        (Op("jit(f)/psum", "psum", "jit_f"), HostClass.COLLECTIVE),
        (Op("save/SaveV2", "SaveV2"), HostClass.OUTPUT),
        (Op("x/_3", "_Recv"), HostClass.WAITING),
        (Op("fusion.7", "fusion", "jit_f"), HostClass.OP),
        (Op("reduce.7", "reduce", "jit_f"), HostClass.OP),
    ],
)
def test_ops_of_a_host(op: Op, kind: HostClass) -> None:
    assert class_of_op(op) == kind


DEVICE = {
    "collective": [
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
        "ncclKernel_AllGather_RING_LL_Sum_int8_t",
        "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        "ncclDevKernel_Broadcast_RING_LL",
        "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
        "void rcclGenericKernel<1, false>",
        "ncclSymkDevKernel_AllReduce_RSxLD_AGxST_sum_f32",
        "void vllm::cross_device_reduce_1stage<__half, 8>",
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<x>",
        "one_shot_all_reduce_kernel",
        "multimem_all_reduce_kernel",
        "nvshmemi_reduce_on_stream_kernel",
        "void mscclKernel_Sum_half_Simple",
        "void xla::gpu::AllReduceKernelImpl<float>",
        "void userbuffers_fp16_sum_inplace_gpu_rr_rs<8>",
        "all-reduce.5",
    ],
    "copy_in": ["MemcpyH2D", "MEMCPYHtoD", "CopyHostToDevice", "Memcpy HtoD (Pageable -> Device)"],
    "copy_out": ["MemcpyD2H", "CopyDeviceToHost"],
    "copy_device": ["MemcpyD2D", "MemcpyP2P", "Memset 0", "__amd_rocclr_fillBufferAligned.kd", "CopyDeviceToDevice"],
    "compute_other": [
        "loop_broadcast_fusion",
        "gather_fusion",
        "input_scatter_fusion",
        "loop_all_fusion",
        "CudaGraphExec:7",
    ],
    "compute_32bit": ["BroadcastTo_GPU_DT_FLOAT_DT_FLOAT_kernel", "void GatherOpKernel<float, long>"],
}


@pytest.mark.parametrize("key", DEVICE)
def test_events_of_a_gpu(key: str) -> None:
    found = {name: category_of_kernel(name) for name in DEVICE[key]}
    assert {name: CATEGORIES[i].key for name, i in found.items()} == dict.fromkeys(DEVICE[key], key)


@pytest.mark.parametrize(
    ("text", "category", "key"),
    [
        ("%infeed.1 = ((f32[8]{0}), token[]) infeed(token[] %t)", "", "input_wait"),
        ("infeed.1", "", "input_wait"),
        ("%o = token[] outfeed(f32[8]{0} %a)", "outfeed", "output"),
        ("%send-done = token[] send-done((f32[8], u32[], token[]) %s), is_host_transfer=true", "", "output"),
        ("%send-done = token[] send-done((f32[8], u32[], token[]) %s), channel_id=3", "", "collective"),
        ("%all-reduce.1 = bf16[8]{0} all-reduce(bf16[8]{0} %a)", "all-reduce", "collective"),
        ("%ag = bf16[8]{0} all-gather-start(bf16[8]{0} %a)", "", "collective"),
        ("%cp = bf16[8]{0} collective-permute-done((bf16[8]{0}) %a)", "collective-permute-done", "collective"),
        ("%copy.1 = bf16[8]{0} copy(bf16[8]{0} %a)", "", "copy_device"),
        ("%copy-done = bf16[8]{0} copy-done((bf16[8]{0}, bf16[8]{0:S(1)}, u32[]) %a)", "copy-done", "copy_device"),
        ("%convolution.1 = f32[8]{0} convolution(bf16[8]{0} %a, bf16[8]{0} %b)", "convolution", "compute_16bit"),
        ("%all-reduce-fusion = f32[8]{0} fusion(f32[8]{0} %a)", "all-reduce fusion", "collective"),
        ("fusion.3", "", "compute_other"),
    ],
)
def test_instructions_of_a_tpu(text: str, category: str, key: str) -> None:
    assert category_of_instruction(text, category) == key
