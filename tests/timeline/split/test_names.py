"""Names of events of hosts and devices → what they stand for."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops.executions import exchanges
from tensorboard_perfplugin.timeline.split.device import category_of_instruction, category_of_kernel
from tensorboard_perfplugin.timeline.split.host_names import HostClass, class_of_name, class_of_op
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tests.timeline.split.test_precision import names

#: Names apart by `|`. The last of the unknown ones is an operator of compiled code, which computes.
NAMES = {
    HostClass.INPUT: """IteratorGetNextOp::DoCompute | IteratorGetNextAsOptionalOp::DoCompute""",
    HostClass.NEXT: """
        EagerLocalExecute: IteratorGetNextSync | Iterator::Root::Prefetch |
        enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ | $builtins next |
        $iterator_ops.py:826 __next__ | $dataset_iterator.py:40 __next__ | $train.py:12 get_batch |
        $train.py:30 batches | $queue.py:154 get | $queues.py:101 get | $loop.py:3 data_generator |
        $loop.py:3 load_next_batch | load_data""",
    HostClass.PIPELINE: """
        PrefetchProduce | MapAndBatchConsume | InstantiatedCapturedFunction::RunAsync | MakeIterator::Zip""",
    HostClass.COMPILATION: """
        backend_compile | backend_compile_and_load | $compiler.py:299 backend_compile_and_load |
        PjRtCpuClient::Compile | TfrtCpuClient::Compile | TfrtTpuCompiler::Compile | GpuCompiler::RunHloPasses |
        XlaCompile | XlaCompilationCache::Compile | XLA::TPU run hlo passes | lower_sharding_computation |
        trace_to_jaxpr_dynamic | $pjit.py:1300 _pjit_lower | tf.function-graph_building | cuModuleLoadData""",
    HostClass.ALLOCATES: """
        cuMemAlloc_v2 | hipFree | hipMalloc | cudaMalloc | cudaFree | cudaHostAlloc | cuMemCreate""",
    HostClass.COLLECTIVE: """gloo:all_reduce | mpi:broadcast | CollectiveExecutor::Execute""",
    HostClass.OUTPUT: """
        EagerLocalExecute: WriteSummary | EagerLocalExecute: SaveV2 | $checkpoint_manager.py:9 save |
        $numpy savez | save_checkpoint | $train.py:9 checkpoint""",
    HostClass.WAITING: """
        ThunkExecutor::Execute (wait for completion) | CommonPjRtBuffer::Await | $api.py:3050 block_until_ready |
        cuStreamSynchronize | cudaDeviceSynchronize | hipEventSynchronize | cudaMemcpy | cudaMemcpy2D_v3020 |
        cuMemcpyDtoH_v2 | hipMemcpyWithStream | hipMemcpyHtoD | AscendCL@aclrtSynchronizeStream |
        Acquire semaphore | BlockHostUntilDone | $threading.py:320 wait | np.asarray(jax.Array) |
        $threading.py:1087 join | $process.py:142 join | $<unknown> acquire""",
    HostClass.NONE: """
        $<unknown> join | BatchMatMulOp_ThreadPool::Await""",
    HostClass.LAUNCH: """
        cuLaunchKernelEx | cudaGraphLaunch | hipExtModuleLaunchKernel | hipMemcpyHtoDAsync | cudaMemcpyPeerAsync |
        cuMemcpyDtoD_v2 | MemcpyH2D | urEnqueueKernelLaunch | urEnqueueUSMMemcpy | zeCommandListAppendLaunchKernel |
        zeCommandListAppendMemoryCopy | tpu::System::Execute | DoEnqueueProgram""",
    HostClass.RUNTIME: """
        EagerExecute | ExecutorState::Process | PjitFunction(train_step) | TFE_Py_ExecuteCancelable""",
    HostClass.PYTHON: """
        $train.py:12 main | $builtins len | $time sleep | $nn.py:3 batch_norm | $callback.py:4 on_train_batch_end |
        $checkpoint.py:354 checkpoint | $ad_checkpoint.py:347 checkpoint | $posixpath.py:71 join | $str join""",
    HostClass.UNKNOWN: """
        train | inner | forward pass | step 12 | validation | batch_norm | dense/MatMul:MatMul | CompiledFunction""",
}


DEVICE = {
    "collective": """
        ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*) |
        ncclKernel_AllGather_RING_LL_Sum_int8_t | ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>) |
        ncclDevKernel_Broadcast_RING_LL | ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>) |
        void rcclGenericKernel<1, false> | ncclSymkDevKernel_AllReduce_RSxLD_AGxST_sum_f32 |
        void vllm::cross_device_reduce_1stage<__half, 8> |
        void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<x> |
        one_shot_all_reduce_kernel | multimem_all_reduce_kernel | nvshmemi_reduce_on_stream_kernel |
        void mscclKernel_Sum_half_Simple | void xla::gpu::AllReduceKernelImpl<float> |
        void userbuffers_fp16_sum_inplace_gpu_rr_rs<8> | all-reduce.5 |
        void deep_ep::internode_ll::dispatch<3, 10, 7168>(void*, float*) |
        deep_ep::intranode::cached_notify_combine<8> |
        void deep_ep::internode_ll::combine<3, 10, 7168, 9>(void*) | void hybrid_ep::dispatch_kernel<x> |
        void pplx::a2a_kernels::a2aDispatchSendKernel<x> | void mori::moe::EpDispatchIntraNodeKernel<float> |
        void tensorrt_llm::kernels::moe_a2a::moeA2ACombineKernel<x>""",
    "copy_in": """MemcpyH2D | MEMCPYHtoD | CopyHostToDevice | Memcpy HtoD (Pageable -> Device)""",
    "copy_out": """MemcpyD2H | CopyDeviceToHost""",
    "copy_device": """
        MemcpyD2D | MemcpyP2P | Memset 0 | __amd_rocclr_fillBufferAligned.kd | CopyDeviceToDevice""",
    "compute_other": """
        loop_broadcast_fusion | gather_fusion | input_scatter_fusion | loop_all_fusion | CudaGraphExec:7 |
        deep_ep::layout::get_dispatch_layout<256, 32, 8> | flash_fwd_splitkv_combine_kernel<x> | step_dispatch""",
    "compute_32bit": """BroadcastTo_GPU_DT_FLOAT_DT_FLOAT_kernel | void GatherOpKernel<float, long>""",
}


def test_events_of_hosts_and_gpus() -> None:
    hosts = {kind: [class_of_name(name) for name in names(of)] for kind, of in NAMES.items()}
    assert hosts == {kind: [kind] * len(names(of)) for kind, of in NAMES.items()}
    gpus = {key: [CATEGORIES[category_of_kernel(name)].key for name in names(of)] for key, of in DEVICE.items()}
    assert gpus == {key: [key] * len(names(of)) for key, of in DEVICE.items()}


def test_ops_of_a_host() -> None:
    ops = {
        HostClass.OP: [
            Op("dense/MatMul", "MatMul"),
            Op("fusion.7", "fusion", "jit_f"),
            Op("reduce.7", "reduce", "jit_f"),
        ],
        HostClass.NEXT: [Op("Iterator::Root", "Dataset::Root")],
        HostClass.INPUT: [Op("IteratorGetNext", "IteratorGetNext"), Op("q", "QueueDequeueManyV2")],
        HostClass.COLLECTIVE: [
            *(Op("sgd/CollectiveReduceV2", "CollectiveReduceV2"), Op("NcclAllReduce", "NcclAllReduce")),
            *(Op("all-reduce.3", "all-reduce", "jit_f"), Op("jit(f)/psum", "psum", "jit_f")),
        ],
        HostClass.OUTPUT: [Op("save/SaveV2", "SaveV2")],
        HostClass.WAITING: [Op("x/_3", "_Recv")],
    }
    assert {kind: [class_of_op(op) for op in of] for kind, of in ops.items()} == {
        kind: [kind] * len(of) for kind, of in ops.items()
    }


#: Text of the instruction, its category, and what it is.
INSTRUCTIONS = (
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
    # Collectives in two instructions.
    ("%async-collective-start = (bf16[8]{0}, bf16[8]{0}) fusion(bf16[8]{0} %p)", "custom fusion", "collective"),
    ("%async-collective-done.3 = bf16[8]{0} fusion(bf16[8]{0} %p), kind=kCustom", "custom fusion", "collective"),
    ("%all-gather-done.1 = bf16[8]{0} async-done(((bf16[2]{0}), bf16[8]{0}) %s)", "async-done", "collective"),
    ("%reduce-scatter.2 = bf16[2]{0} fusion(bf16[8]{0} %p)", "all-reduce-scatter fusion", "collective"),
    ("%async-collective-fusion.3 = bf16[8]{0} fusion(bf16[8]{0} %p)", "convolution fusion", "compute_16bit"),
    ("%slice-done.5 = f32[4]{0:S(1)} slice-done(((f32[8]{0}), f32[4]{0:S(1)}) %s)", "async-done", "copy_device"),
)


def test_instructions_of_a_tpu() -> None:
    assert [(text, of, category_of_instruction(text, of)) for text, of, _ in INSTRUCTIONS] == [*INSTRUCTIONS]


def test_types_that_exchange_data_between_devices() -> None:
    types = (
        "psum psum_scatter all_gather all_to_all ppermute all-reduce-done collective-permute-start NcclAllReduce send"
    )
    assert [t for t in types.split() if not exchanges(t)] == []
    others = "MatMul dot_general reduce_sum reduce gather Collection send_thing copy-start"
    assert [t for t in others.split() if exchanges(t)] == []
