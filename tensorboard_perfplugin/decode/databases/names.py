"""Numbers and texts in databases → names: of calls, kernels, copies and ranges; and the occupancy of a launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ...patterns import regex
from ...tables import I64, StatKind, distinct, distinct_rows
from .database import NONE, Texts
from .sheet import Mask, Stat

# Numbers of calls → their names: CUPTI's callback ids, as its headers for CUDA 12.4 have them.
#
# nvprof's databases have these numbers alone. Names are without versions; a name's place is its number.

_RUNTIME = """
- DriverGetVersion RuntimeGetVersion GetDeviceCount GetDeviceProperties ChooseDevice GetChannelDesc CreateChannelDesc
ConfigureCall SetupArgument GetLastError PeekAtLastError GetErrorString Launch FuncSetCacheConfig FuncGetAttributes
SetDevice GetDevice SetValidDevices SetDeviceFlags Malloc MallocPitch Free MallocArray FreeArray MallocHost FreeHost
HostAlloc HostGetDevicePointer HostGetFlags MemGetInfo Memcpy Memcpy2D MemcpyToArray Memcpy2DToArray MemcpyFromArray
Memcpy2DFromArray MemcpyArrayToArray Memcpy2DArrayToArray MemcpyToSymbol MemcpyFromSymbol MemcpyAsync
MemcpyToArrayAsync MemcpyFromArrayAsync Memcpy2DAsync Memcpy2DToArrayAsync Memcpy2DFromArrayAsync MemcpyToSymbolAsync
MemcpyFromSymbolAsync Memset Memset2D MemsetAsync Memset2DAsync GetSymbolAddress GetSymbolSize BindTexture
BindTexture2D BindTextureToArray UnbindTexture GetTextureAlignmentOffset GetTextureReference BindSurfaceToArray
GetSurfaceReference GLSetGLDevice GLRegisterBufferObject GLMapBufferObject GLUnmapBufferObject
GLUnregisterBufferObject GLSetBufferObjectMapFlags GLMapBufferObjectAsync GLUnmapBufferObjectAsync WGLGetDevice
GraphicsGLRegisterImage GraphicsGLRegisterBuffer GraphicsUnregisterResource GraphicsResourceSetMapFlags
GraphicsMapResources GraphicsUnmapResources GraphicsResourceGetMappedPointer GraphicsSubResourceGetMappedArray
VDPAUGetDevice VDPAUSetVDPAUDevice GraphicsVDPAURegisterVideoSurface GraphicsVDPAURegisterOutputSurface D3D11GetDevice
D3D11GetDevices D3D11SetDirect3DDevice GraphicsD3D11RegisterResource D3D10GetDevice D3D10GetDevices
D3D10SetDirect3DDevice GraphicsD3D10RegisterResource D3D10RegisterResource D3D10UnregisterResource D3D10MapResources
D3D10UnmapResources D3D10ResourceSetMapFlags D3D10ResourceGetSurfaceDimensions D3D10ResourceGetMappedArray
D3D10ResourceGetMappedPointer D3D10ResourceGetMappedSize D3D10ResourceGetMappedPitch D3D9GetDevice D3D9GetDevices
D3D9SetDirect3DDevice D3D9GetDirect3DDevice GraphicsD3D9RegisterResource D3D9RegisterResource D3D9UnregisterResource
D3D9MapResources D3D9UnmapResources D3D9ResourceSetMapFlags D3D9ResourceGetSurfaceDimensions
D3D9ResourceGetMappedArray D3D9ResourceGetMappedPointer D3D9ResourceGetMappedSize D3D9ResourceGetMappedPitch D3D9Begin
D3D9End D3D9RegisterVertexBuffer D3D9UnregisterVertexBuffer D3D9MapVertexBuffer D3D9UnmapVertexBuffer ThreadExit
SetDoubleForDevice SetDoubleForHost ThreadSynchronize ThreadGetLimit ThreadSetLimit StreamCreate StreamDestroy
StreamSynchronize StreamQuery EventCreate EventCreateWithFlags EventRecord EventDestroy EventSynchronize EventQuery
EventElapsedTime Malloc3D Malloc3DArray Memset3D Memset3DAsync Memcpy3D Memcpy3DAsync ThreadSetCacheConfig
StreamWaitEvent D3D11GetDirect3DDevice D3D10GetDirect3DDevice ThreadGetCacheConfig PointerGetAttributes HostRegister
HostUnregister DeviceCanAccessPeer DeviceEnablePeerAccess DeviceDisablePeerAccess PeerRegister PeerUnregister
PeerGetDevicePointer MemcpyPeer MemcpyPeerAsync Memcpy3DPeer Memcpy3DPeerAsync DeviceReset DeviceSynchronize
DeviceGetLimit DeviceSetLimit DeviceGetCacheConfig DeviceSetCacheConfig ProfilerInitialize ProfilerStart ProfilerStop
DeviceGetByPCIBusId DeviceGetPCIBusId GLGetDevices IpcGetEventHandle IpcOpenEventHandle IpcGetMemHandle
IpcOpenMemHandle IpcCloseMemHandle ArrayGetInfo FuncSetSharedMemConfig DeviceGetSharedMemConfig
DeviceSetSharedMemConfig CreateTextureObject DestroyTextureObject GetTextureObjectResourceDesc
GetTextureObjectTextureDesc CreateSurfaceObject DestroySurfaceObject GetSurfaceObjectResourceDesc MallocMipmappedArray
GetMipmappedArrayLevel FreeMipmappedArray BindTextureToMipmappedArray GraphicsResourceGetMappedMipmappedArray
StreamAddCallback StreamCreateWithFlags GetTextureObjectResourceViewDesc DeviceGetAttribute StreamDestroy
StreamCreateWithPriority StreamGetPriority StreamGetFlags DeviceGetStreamPriorityRange MallocManaged
OccupancyMaxActiveBlocksPerMultiprocessor StreamAttachMemAsync GetErrorName OccupancyMaxActiveBlocksPerMultiprocessor
LaunchKernel GetDeviceFlags Launch LaunchKernel Memcpy Memcpy2D MemcpyToArray Memcpy2DToArray MemcpyFromArray
Memcpy2DFromArray MemcpyArrayToArray Memcpy2DArrayToArray MemcpyToSymbol MemcpyFromSymbol MemcpyAsync
MemcpyToArrayAsync MemcpyFromArrayAsync Memcpy2DAsync Memcpy2DToArrayAsync Memcpy2DFromArrayAsync MemcpyToSymbolAsync
MemcpyFromSymbolAsync Memset Memset2D MemsetAsync Memset2DAsync StreamGetPriority StreamGetFlags StreamSynchronize
StreamQuery StreamAttachMemAsync EventRecord Memset3D Memset3DAsync Memcpy3D Memcpy3DAsync StreamWaitEvent
StreamAddCallback Memcpy3DPeer Memcpy3DPeerAsync OccupancyMaxActiveBlocksPerMultiprocessorWithFlags MemPrefetchAsync
MemPrefetchAsync MemAdvise DeviceGetP2PAttribute GraphicsEGLRegisterImage EGLStreamConsumerConnect
EGLStreamConsumerDisconnect EGLStreamConsumerAcquireFrame EGLStreamConsumerReleaseFrame EGLStreamProducerConnect
EGLStreamProducerDisconnect EGLStreamProducerPresentFrame EGLStreamProducerReturnFrame
GraphicsResourceGetMappedEglFrame MemRangeGetAttribute MemRangeGetAttributes EGLStreamConsumerConnectWithFlags
LaunchCooperativeKernel LaunchCooperativeKernel EventCreateFromEGLSync LaunchCooperativeKernelMultiDevice
FuncSetAttribute ImportExternalMemory ExternalMemoryGetMappedBuffer ExternalMemoryGetMappedMipmappedArray
DestroyExternalMemory ImportExternalSemaphore SignalExternalSemaphoresAsync SignalExternalSemaphoresAsync
WaitExternalSemaphoresAsync WaitExternalSemaphoresAsync DestroyExternalSemaphore LaunchHostFunc LaunchHostFunc
GraphCreate GraphKernelNodeGetParams GraphKernelNodeSetParams GraphAddKernelNode GraphAddMemcpyNode
GraphMemcpyNodeGetParams GraphMemcpyNodeSetParams GraphAddMemsetNode GraphMemsetNodeGetParams GraphMemsetNodeSetParams
GraphAddHostNode GraphHostNodeGetParams GraphAddChildGraphNode GraphChildGraphNodeGetGraph GraphAddEmptyNode
GraphClone GraphNodeFindInClone GraphNodeGetType GraphGetRootNodes GraphNodeGetDependencies GraphNodeGetDependentNodes
GraphAddDependencies GraphRemoveDependencies GraphDestroyNode GraphInstantiate GraphLaunch GraphLaunch
GraphExecDestroy GraphDestroy StreamBeginCapture StreamBeginCapture StreamIsCapturing StreamIsCapturing
StreamEndCapture StreamEndCapture GraphHostNodeSetParams GraphGetNodes GraphGetEdges StreamGetCaptureInfo
StreamGetCaptureInfo GraphExecKernelNodeSetParams ThreadExchangeStreamCaptureMode DeviceGetNvSciSyncAttributes
OccupancyAvailableDynamicSMemPerBlock StreamSetFlags StreamSetFlags GraphExecMemcpyNodeSetParams
GraphExecMemsetNodeSetParams GraphExecHostNodeSetParams GraphExecUpdate GetFuncBySymbol CtxResetPersistingL2Cache
GraphKernelNodeCopyAttributes GraphKernelNodeGetAttribute GraphKernelNodeSetAttribute StreamCopyAttributes
StreamCopyAttributes StreamGetAttribute StreamGetAttribute StreamSetAttribute StreamSetAttribute
DeviceGetTexture1DLinearMaxWidth GraphUpload GraphUpload GraphAddMemcpyNodeToSymbol GraphAddMemcpyNodeFromSymbol
GraphAddMemcpyNode1D GraphMemcpyNodeSetParamsToSymbol GraphMemcpyNodeSetParamsFromSymbol GraphMemcpyNodeSetParams1D
GraphExecMemcpyNodeSetParamsToSymbol GraphExecMemcpyNodeSetParamsFromSymbol GraphExecMemcpyNodeSetParams1D
ArrayGetSparseProperties MipmappedArrayGetSparseProperties GraphExecChildGraphNodeSetParams GraphAddEventRecordNode
GraphEventRecordNodeGetEvent GraphEventRecordNodeSetEvent GraphAddEventWaitNode GraphEventWaitNodeGetEvent
GraphEventWaitNodeSetEvent GraphExecEventRecordNodeSetEvent GraphExecEventWaitNodeSetEvent EventRecordWithFlags
EventRecordWithFlags DeviceGetDefaultMemPool MallocAsync MallocAsync FreeAsync FreeAsync MemPoolTrimTo
MemPoolSetAttribute MemPoolGetAttribute MemPoolSetAccess ArrayGetPlane MemPoolGetAccess MemPoolCreate MemPoolDestroy
DeviceSetMemPool DeviceGetMemPool MemPoolExportToShareableHandle MemPoolImportFromShareableHandle MemPoolExportPointer
MemPoolImportPointer MallocFromPoolAsync MallocFromPoolAsync SignalExternalSemaphoresAsync_v2
SignalExternalSemaphoresAsync_v2 WaitExternalSemaphoresAsync_v2 WaitExternalSemaphoresAsync_v2
GraphAddExternalSemaphoresSignalNode GraphExternalSemaphoresSignalNodeGetParams
GraphExternalSemaphoresSignalNodeSetParams GraphAddExternalSemaphoresWaitNode GraphExternalSemaphoresWaitNodeGetParams
GraphExternalSemaphoresWaitNodeSetParams GraphExecExternalSemaphoresSignalNodeSetParams
GraphExecExternalSemaphoresWaitNodeSetParams DeviceFlushGPUDirectRDMAWrites GetDriverEntryPoint GetDriverEntryPoint
GraphDebugDotPrint StreamGetCaptureInfo_v2 StreamGetCaptureInfo_v2 StreamUpdateCaptureDependencies
StreamUpdateCaptureDependencies UserObjectCreate UserObjectRetain UserObjectRelease GraphRetainUserObject
GraphReleaseUserObject GraphInstantiateWithFlags GraphAddMemAllocNode GraphMemAllocNodeGetParams GraphAddMemFreeNode
GraphMemFreeNodeGetParams DeviceGraphMemTrim DeviceGetGraphMemAttribute DeviceSetGraphMemAttribute GraphNodeSetEnabled
GraphNodeGetEnabled ArrayGetMemoryRequirements MipmappedArrayGetMemoryRequirements LaunchKernelExC LaunchKernelExC
OccupancyMaxPotentialClusterSize OccupancyMaxActiveClusters CreateTextureObject_v2 GetTextureObjectTextureDesc_v2
GraphInstantiateWithParams GraphInstantiateWithParams GraphExecGetFlags GetKernel GetDeviceProperties_v2 StreamGetId
StreamGetId GraphInstantiate InitDevice GraphAddNode GraphNodeSetParams GraphExecNodeSetParams MemAdvise_v2
MemPrefetchAsync_v2 MemPrefetchAsync_v2 FuncGetName StreamBeginCaptureToGraph StreamBeginCaptureToGraph
GraphConditionalHandleCreate GraphGetEdges_v2 GraphNodeGetDependencies_v2 GraphNodeGetDependentNodes_v2
GraphAddDependencies_v2 GraphRemoveDependencies_v2 GraphAddNode_v2 StreamGetCaptureInfo_v3 StreamGetCaptureInfo_v3
StreamUpdateCaptureDependencies_v2 StreamUpdateCaptureDependencies_v2 465 466 FuncGetParamInfo
"""
_DRIVER = """
- Init DriverGetVersion DeviceGet DeviceGetCount DeviceGetName DeviceComputeCapability DeviceTotalMem
DeviceGetProperties DeviceGetAttribute CtxCreate CtxDestroy CtxAttach CtxDetach CtxPushCurrent CtxPopCurrent
CtxGetDevice CtxSynchronize ModuleLoad ModuleLoadData ModuleLoadDataEx ModuleLoadFatBinary ModuleUnload
ModuleGetFunction ModuleGetGlobal 64ModuleGetGlobal ModuleGetTexRef MemGetInfo 64MemGetInfo MemAlloc 64MemAlloc
MemAllocPitch 64MemAllocPitch MemFree 64MemFree MemGetAddressRange 64MemGetAddressRange MemAllocHost MemFreeHost
MemHostAlloc MemHostGetDevicePointer 64MemHostGetDevicePointer MemHostGetFlags MemcpyHtoD 64MemcpyHtoD MemcpyDtoH
64MemcpyDtoH MemcpyDtoD 64MemcpyDtoD MemcpyDtoA 64MemcpyDtoA MemcpyAtoD 64MemcpyAtoD MemcpyHtoA MemcpyAtoH MemcpyAtoA
Memcpy2D Memcpy2DUnaligned Memcpy3D 64Memcpy3D MemcpyHtoDAsync 64MemcpyHtoDAsync MemcpyDtoHAsync 64MemcpyDtoHAsync
MemcpyDtoDAsync 64MemcpyDtoDAsync MemcpyHtoAAsync MemcpyAtoHAsync Memcpy2DAsync Memcpy3DAsync 64Memcpy3DAsync MemsetD8
64MemsetD8 MemsetD16 64MemsetD16 MemsetD32 64MemsetD32 MemsetD2D8 64MemsetD2D8 MemsetD2D16 64MemsetD2D16 MemsetD2D32
64MemsetD2D32 FuncSetBlockShape FuncSetSharedSize FuncGetAttribute FuncSetCacheConfig ArrayCreate ArrayGetDescriptor
ArrayDestroy Array3DCreate Array3DGetDescriptor TexRefCreate TexRefDestroy TexRefSetArray TexRefSetAddress
64TexRefSetAddress TexRefSetAddress2D 64TexRefSetAddress2D TexRefSetFormat TexRefSetAddressMode TexRefSetFilterMode
TexRefSetFlags TexRefGetAddress 64TexRefGetAddress TexRefGetArray TexRefGetAddressMode TexRefGetFilterMode
TexRefGetFormat TexRefGetFlags ParamSetSize ParamSeti ParamSetf ParamSetv ParamSetTexRef Launch LaunchGrid
LaunchGridAsync EventCreate EventRecord EventQuery EventSynchronize EventDestroy EventElapsedTime StreamCreate
StreamQuery StreamSynchronize StreamDestroy GraphicsUnregisterResource GraphicsSubResourceGetMappedArray
GraphicsResourceGetMappedPointer 64GraphicsResourceGetMappedPointer GraphicsResourceSetMapFlags GraphicsMapResources
GraphicsUnmapResources GetExportTable CtxSetLimit CtxGetLimit D3D10GetDevice D3D10CtxCreate
GraphicsD3D10RegisterResource D3D10RegisterResource D3D10UnregisterResource D3D10MapResources D3D10UnmapResources
D3D10ResourceSetMapFlags D3D10ResourceGetMappedArray D3D10ResourceGetMappedPointer D3D10ResourceGetMappedSize
D3D10ResourceGetMappedPitch D3D10ResourceGetSurfaceDimensions D3D11GetDevice D3D11CtxCreate
GraphicsD3D11RegisterResource D3D9GetDevice D3D9CtxCreate GraphicsD3D9RegisterResource D3D9GetDirect3DDevice
D3D9RegisterResource D3D9UnregisterResource D3D9MapResources D3D9UnmapResources D3D9ResourceSetMapFlags
D3D9ResourceGetSurfaceDimensions D3D9ResourceGetMappedArray D3D9ResourceGetMappedPointer D3D9ResourceGetMappedSize
D3D9ResourceGetMappedPitch D3D9Begin D3D9End D3D9RegisterVertexBuffer D3D9MapVertexBuffer D3D9UnmapVertexBuffer
D3D9UnregisterVertexBuffer GLCtxCreate GraphicsGLRegisterBuffer GraphicsGLRegisterImage WGLGetDevice GLInit
GLRegisterBufferObject GLMapBufferObject GLUnmapBufferObject GLUnregisterBufferObject GLSetBufferObjectMapFlags
GLMapBufferObjectAsync GLUnmapBufferObjectAsync VDPAUGetDevice VDPAUCtxCreate GraphicsVDPAURegisterVideoSurface
GraphicsVDPAURegisterOutputSurface ModuleGetSurfRef SurfRefCreate SurfRefDestroy SurfRefSetFormat SurfRefSetArray
SurfRefGetFormat SurfRefGetArray 64DeviceTotalMem 64D3D10ResourceGetMappedPointer 64D3D10ResourceGetMappedSize
64D3D10ResourceGetMappedPitch 64D3D10ResourceGetSurfaceDimensions 64D3D9ResourceGetSurfaceDimensions
64D3D9ResourceGetMappedPointer 64D3D9ResourceGetMappedSize 64D3D9ResourceGetMappedPitch 64D3D9MapVertexBuffer
64GLMapBufferObject 64GLMapBufferObjectAsync D3D11GetDevices D3D11CtxCreateOnDevice D3D10GetDevices
D3D10CtxCreateOnDevice D3D9GetDevices D3D9CtxCreateOnDevice 64MemHostAlloc MemsetD8Async 64MemsetD8Async
MemsetD16Async 64MemsetD16Async MemsetD32Async 64MemsetD32Async MemsetD2D8Async 64MemsetD2D8Async MemsetD2D16Async
64MemsetD2D16Async MemsetD2D32Async 64MemsetD2D32Async 64ArrayCreate 64ArrayGetDescriptor 64Array3DCreate
64Array3DGetDescriptor 64Memcpy2D 64Memcpy2DUnaligned 64Memcpy2DAsync CtxCreate_v2 D3D10CtxCreate_v2 D3D11CtxCreate_v2
D3D9CtxCreate_v2 GLCtxCreate_v2 VDPAUCtxCreate_v2 ModuleGetGlobal_v2 MemGetInfo_v2 MemAlloc_v2 MemAllocPitch_v2
MemFree_v2 MemGetAddressRange_v2 MemHostGetDevicePointer_v2 Memcpy_v2 MemsetD8_v2 MemsetD16_v2 MemsetD32_v2
MemsetD2D8_v2 MemsetD2D16_v2 MemsetD2D32_v2 TexRefSetAddress_v2 TexRefSetAddress2D_v2 TexRefGetAddress_v2
GraphicsResourceGetMappedPointer_v2 DeviceTotalMem_v2 D3D10ResourceGetMappedPointer_v2 D3D10ResourceGetMappedSize_v2
D3D10ResourceGetMappedPitch_v2 D3D10ResourceGetSurfaceDimensions_v2 D3D9ResourceGetSurfaceDimensions_v2
D3D9ResourceGetMappedPointer_v2 D3D9ResourceGetMappedSize_v2 D3D9ResourceGetMappedPitch_v2 D3D9MapVertexBuffer_v2
GLMapBufferObject_v2 GLMapBufferObjectAsync_v2 MemHostAlloc_v2 ArrayCreate_v2 ArrayGetDescriptor_v2 Array3DCreate_v2
Array3DGetDescriptor_v2 MemcpyHtoD_v2 MemcpyHtoDAsync_v2 MemcpyDtoH_v2 MemcpyDtoHAsync_v2 MemcpyDtoD_v2
MemcpyDtoDAsync_v2 MemcpyAtoH_v2 MemcpyAtoHAsync_v2 MemcpyAtoD_v2 MemcpyDtoA_v2 MemcpyAtoA_v2 Memcpy2D_v2
Memcpy2DUnaligned_v2 Memcpy2DAsync_v2 Memcpy3D_v2 Memcpy3DAsync_v2 MemcpyHtoA_v2 MemcpyHtoAAsync_v2 MemAllocHost_v2
StreamWaitEvent CtxGetApiVersion D3D10GetDirect3DDevice D3D11GetDirect3DDevice CtxGetCacheConfig CtxSetCacheConfig
MemHostRegister MemHostUnregister CtxSetCurrent CtxGetCurrent Memcpy MemcpyAsync LaunchKernel ProfilerStart
ProfilerStop PointerGetAttribute ProfilerInitialize DeviceCanAccessPeer CtxEnablePeerAccess CtxDisablePeerAccess
MemPeerRegister MemPeerUnregister MemPeerGetDevicePointer MemcpyPeer MemcpyPeerAsync Memcpy3DPeer Memcpy3DPeerAsync
CtxDestroy_v2 CtxPushCurrent_v2 CtxPopCurrent_v2 EventDestroy_v2 StreamDestroy_v2 TexRefSetAddress2D_v3
IpcGetMemHandle IpcOpenMemHandle IpcCloseMemHandle DeviceGetByPCIBusId DeviceGetPCIBusId GLGetDevices
IpcGetEventHandle IpcOpenEventHandle CtxSetSharedMemConfig CtxGetSharedMemConfig FuncSetSharedMemConfig
TexObjectCreate TexObjectDestroy TexObjectGetResourceDesc TexObjectGetTextureDesc SurfObjectCreate SurfObjectDestroy
SurfObjectGetResourceDesc StreamAddCallback MipmappedArrayCreate MipmappedArrayGetLevel MipmappedArrayDestroy
TexRefSetMipmappedArray TexRefSetMipmapFilterMode TexRefSetMipmapLevelBias TexRefSetMipmapLevelClamp
TexRefSetMaxAnisotropy TexRefGetMipmappedArray TexRefGetMipmapFilterMode TexRefGetMipmapLevelBias
TexRefGetMipmapLevelClamp TexRefGetMaxAnisotropy GraphicsResourceGetMappedMipmappedArray TexObjectGetResourceViewDesc
LinkCreate LinkAddData LinkAddFile LinkComplete LinkDestroy StreamCreateWithPriority StreamGetPriority StreamGetFlags
CtxGetStreamPriorityRange MemAllocManaged GetErrorString GetErrorName OccupancyMaxActiveBlocksPerMultiprocessor
CompilePtx BinaryFree StreamAttachMemAsync PointerSetAttribute MemHostRegister_v2 GraphicsResourceSetMapFlags_v2
LinkCreate_v2 LinkAddData_v2 LinkAddFile_v2 OccupancyMaxPotentialBlockSize GLGetDevices_v2 DevicePrimaryCtxRetain
DevicePrimaryCtxRelease DevicePrimaryCtxSetFlags DevicePrimaryCtxReset GraphicsEGLRegisterImage CtxGetFlags
DevicePrimaryCtxGetState EGLStreamConsumerConnect EGLStreamConsumerDisconnect EGLStreamConsumerAcquireFrame
EGLStreamConsumerReleaseFrame MemcpyHtoD_v2 MemcpyDtoH_v2 MemcpyDtoD_v2 MemcpyDtoA_v2 MemcpyAtoD_v2 MemcpyHtoA_v2
MemcpyAtoH_v2 MemcpyAtoA_v2 Memcpy2D_v2 Memcpy2DUnaligned_v2 Memcpy3D_v2 Memcpy MemcpyPeer Memcpy3DPeer MemsetD8_v2
MemsetD16_v2 MemsetD32_v2 MemsetD2D8_v2 MemsetD2D16_v2 MemsetD2D32_v2 GLMapBufferObject_v2 MemcpyAsync
MemcpyHtoAAsync_v2 MemcpyAtoHAsync_v2 MemcpyHtoDAsync_v2 MemcpyDtoHAsync_v2 MemcpyDtoDAsync_v2 Memcpy2DAsync_v2
Memcpy3DAsync_v2 MemcpyPeerAsync Memcpy3DPeerAsync MemsetD8Async MemsetD16Async MemsetD32Async MemsetD2D8Async
MemsetD2D16Async MemsetD2D32Async StreamGetPriority StreamGetFlags StreamWaitEvent StreamAddCallback
StreamAttachMemAsync StreamQuery StreamSynchronize EventRecord LaunchKernel GraphicsMapResources
GraphicsUnmapResources GLMapBufferObjectAsync_v2 EGLStreamProducerConnect EGLStreamProducerDisconnect
EGLStreamProducerPresentFrame GraphicsResourceGetMappedEglFrame PointerGetAttributes
OccupancyMaxActiveBlocksPerMultiprocessorWithFlags OccupancyMaxPotentialBlockSizeWithFlags
EGLStreamProducerReturnFrame DeviceGetP2PAttribute TexRefSetBorderColor TexRefGetBorderColor MemAdvise
StreamWaitValue32 StreamWaitValue32 StreamWriteValue32 StreamWriteValue32 StreamBatchMemOp StreamBatchMemOp
NVNbufferGetPointer NVNtextureGetArray NNSetAllocator MemPrefetchAsync MemPrefetchAsync EventCreateFromNVNSync
EGLStreamConsumerConnectWithFlags MemRangeGetAttribute MemRangeGetAttributes StreamWaitValue64 StreamWaitValue64
StreamWriteValue64 StreamWriteValue64 LaunchCooperativeKernel LaunchCooperativeKernel EventCreateFromEGLSync
LaunchCooperativeKernelMultiDevice FuncSetAttribute DeviceGetUuid StreamGetCtx StreamGetCtx ImportExternalMemory
ExternalMemoryGetMappedBuffer ExternalMemoryGetMappedMipmappedArray DestroyExternalMemory ImportExternalSemaphore
SignalExternalSemaphoresAsync SignalExternalSemaphoresAsync WaitExternalSemaphoresAsync WaitExternalSemaphoresAsync
DestroyExternalSemaphore StreamBeginCapture StreamBeginCapture StreamEndCapture StreamEndCapture StreamIsCapturing
StreamIsCapturing GraphCreate GraphAddKernelNode GraphKernelNodeGetParams GraphAddMemcpyNode GraphMemcpyNodeGetParams
GraphAddMemsetNode GraphMemsetNodeGetParams GraphMemsetNodeSetParams GraphNodeGetType GraphGetRootNodes
GraphNodeGetDependencies GraphNodeGetDependentNodes GraphInstantiate GraphLaunch GraphLaunch GraphExecDestroy
GraphDestroy GraphAddDependencies GraphRemoveDependencies GraphMemcpyNodeSetParams GraphKernelNodeSetParams
GraphDestroyNode GraphClone GraphNodeFindInClone GraphAddChildGraphNode GraphAddEmptyNode LaunchHostFunc
LaunchHostFunc GraphChildGraphNodeGetGraph GraphAddHostNode GraphHostNodeGetParams DeviceGetLuid
GraphHostNodeSetParams GraphGetNodes GraphGetEdges StreamGetCaptureInfo StreamGetCaptureInfo
GraphExecKernelNodeSetParams StreamBeginCapture_v2 StreamBeginCapture_v2 ThreadExchangeStreamCaptureMode
DeviceGetNvSciSyncAttributes OccupancyAvailableDynamicSMemPerBlock DevicePrimaryCtxRelease_v2 DevicePrimaryCtxReset_v2
DevicePrimaryCtxSetFlags_v2 MemAddressReserve MemAddressFree MemCreate MemRelease MemMap MemUnmap MemSetAccess
MemExportToShareableHandle MemImportFromShareableHandle MemGetAllocationGranularity
MemGetAllocationPropertiesFromHandle MemGetAccess StreamSetFlags StreamSetFlags GraphExecUpdate
GraphExecMemcpyNodeSetParams GraphExecMemsetNodeSetParams GraphExecHostNodeSetParams MemRetainAllocationHandle
FuncGetModule IpcOpenMemHandle_v2 CtxResetPersistingL2Cache GraphKernelNodeCopyAttributes GraphKernelNodeGetAttribute
GraphKernelNodeSetAttribute StreamCopyAttributes StreamCopyAttributes StreamGetAttribute StreamGetAttribute
StreamSetAttribute StreamSetAttribute GraphInstantiate_v2 DeviceGetTexture1DLinearMaxWidth GraphUpload GraphUpload
ArrayGetSparseProperties MipmappedArrayGetSparseProperties MemMapArrayAsync MemMapArrayAsync
GraphExecChildGraphNodeSetParams EventRecordWithFlags EventRecordWithFlags GraphAddEventRecordNode
GraphAddEventWaitNode GraphEventRecordNodeGetEvent GraphEventWaitNodeGetEvent GraphEventRecordNodeSetEvent
GraphEventWaitNodeSetEvent GraphExecEventRecordNodeSetEvent GraphExecEventWaitNodeSetEvent ArrayGetPlane MemAllocAsync
MemAllocAsync MemFreeAsync MemFreeAsync MemPoolTrimTo MemPoolSetAttribute MemPoolGetAttribute MemPoolSetAccess
DeviceGetDefaultMemPool MemPoolCreate MemPoolDestroy DeviceSetMemPool DeviceGetMemPool MemAllocFromPoolAsync
MemAllocFromPoolAsync MemPoolExportToShareableHandle MemPoolImportFromShareableHandle MemPoolExportPointer
MemPoolImportPointer MemPoolGetAccess GraphAddExternalSemaphoresSignalNode GraphExternalSemaphoresSignalNodeGetParams
GraphExternalSemaphoresSignalNodeSetParams GraphAddExternalSemaphoresWaitNode GraphExternalSemaphoresWaitNodeGetParams
GraphExternalSemaphoresWaitNodeSetParams GraphExecExternalSemaphoresSignalNodeSetParams
GraphExecExternalSemaphoresWaitNodeSetParams GetProcAddress FlushGPUDirectRDMAWrites GraphDebugDotPrint
StreamGetCaptureInfo_v2 StreamGetCaptureInfo_v2 StreamUpdateCaptureDependencies StreamUpdateCaptureDependencies
UserObjectCreate UserObjectRetain UserObjectRelease GraphRetainUserObject GraphReleaseUserObject GraphAddMemAllocNode
GraphAddMemFreeNode DeviceGraphMemTrim DeviceGetGraphMemAttribute DeviceSetGraphMemAttribute GraphInstantiateWithFlags
DeviceGetExecAffinitySupport CtxCreate_v3 CtxGetExecAffinity DeviceGetUuid_v2 GraphMemAllocNodeGetParams
GraphMemFreeNodeGetParams GraphNodeSetEnabled GraphNodeGetEnabled LaunchKernelEx LaunchKernelEx
ArrayGetMemoryRequirements MipmappedArrayGetMemoryRequirements GraphInstantiateWithParams GraphInstantiateWithParams
GraphExecGetFlags StreamWaitValue32_v2 StreamWaitValue32_v2 StreamWaitValue64_v2 StreamWaitValue64_v2
StreamWriteValue32_v2 StreamWriteValue32_v2 StreamWriteValue64_v2 StreamWriteValue64_v2 StreamBatchMemOp_v2
StreamBatchMemOp_v2 GraphAddBatchMemOpNode GraphBatchMemOpNodeGetParams GraphBatchMemOpNodeSetParams
GraphExecBatchMemOpNodeSetParams ModuleGetLoadingMode MemGetHandleForAddressRange OccupancyMaxPotentialClusterSize
OccupancyMaxActiveClusters GetProcAddress_v2 LibraryLoadData LibraryLoadFromFile LibraryUnload LibraryGetKernel
LibraryGetModule KernelGetFunction LibraryGetGlobal LibraryGetManaged KernelGetAttribute KernelSetAttribute
KernelSetCacheConfig GraphAddKernelNode_v2 GraphKernelNodeGetParams_v2 GraphKernelNodeSetParams_v2
GraphExecKernelNodeSetParams_v2 StreamGetId StreamGetId CtxGetId GraphExecUpdate_v2 TensorMapEncodeTiled
TensorMapEncodeIm2col TensorMapReplaceAddress LibraryGetUnifiedFunction CoredumpGetAttribute
CoredumpGetAttributeGlobal CoredumpSetAttribute CoredumpSetAttributeGlobal CtxSetFlags MulticastCreate
MulticastAddDevice MulticastBindMem MulticastBindAddr MulticastUnbind MulticastGetGranularity GraphAddNode
GraphNodeSetParams GraphExecNodeSetParams MemAdvise_v2 MemPrefetchAsync_v2 MemPrefetchAsync_v2 FuncGetName
KernelGetName StreamBeginCaptureToGraph StreamBeginCaptureToGraph GraphConditionalHandleCreate GraphAddNode_v2
GraphGetEdges_v2 GraphNodeGetDependencies_v2 GraphNodeGetDependentNodes_v2 GraphAddDependencies_v2
GraphRemoveDependencies_v2 StreamGetCaptureInfo_v3 StreamGetCaptureInfo_v3 StreamUpdateCaptureDependencies_v2
StreamUpdateCaptureDependencies_v2 FuncGetParamInfo KernelGetParamInfo DeviceRegisterAsyncNotification
DeviceUnregisterAsyncNotification ModuleGetFunctionCount ModuleEnumerateFunctions LibraryGetKernelCount
LibraryEnumerateKernels FuncIsLoaded FuncLoad GreenCtxCreate GreenCtxDestroy DeviceGetDevResource CtxGetDevResource
GreenCtxGetDevResource DevResourceGenerateDesc GreenCtxRecordEvent GreenCtxWaitEvent DevSmResourceSplitByCount
StreamGetGreenCtx CtxFromGreenCtx
"""


def _names(prefix: str, rest: str) -> tuple[str, ...]:
    return tuple("" if each == "-" else prefix + each for each in rest.split())


RUNTIME_CALLS = _names("cuda", _RUNTIME)
DRIVER_CALLS = _names("cu", _DRIVER)


# Numbers by which CUPTI and Nsight Systems describe kernels, copies and fills → their names, and the texts by which
# CUPTI's other collectors describe them: `kernel_details`, `memcpy_details`, `memset_details`.

#: Copies by number: CUPTI's, and from 11 on Nsight Systems' migrations of unified memory.
COPIES = {
    1: "HtoD",
    2: "DtoH",
    3: "HtoA",
    4: "AtoH",
    5: "AtoA",
    6: "AtoD",
    7: "DtoA",
    8: "DtoD",
    9: "HtoH",
    10: "PtoP",
    11: "HtoD",
    12: "DtoH",
    13: "DtoD",
}
_MIGRATIONS = (11, 12, 13)
#: Kinds of memory by number: of CUPTI, and of Nsight Systems.
CUPTI_MEMORY = dict(
    enumerate(("unknown", "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static"))
)
NSIGHT_MEMORY = dict(
    enumerate(("pageable", "pinned", "device", "array", "managed", "device_static", "managed_static", "unknown"))
)
#: What a side of a copy is, where its kind of memory is not given.
_SIDES = {"H": "host", "D": "device", "A": "array", "P": "device"}
_LAUNCH = ("registersPerThread", "staticSharedMemory", "dynamicSharedMemory")
_GRID, _BLOCK = ("gridX", "gridY", "gridZ"), ("blockX", "blockY", "blockZ")
#: Columns that say how a kernel was launched.
LAUNCH = (*_LAUNCH, *_GRID, *_BLOCK)


def call_name(name: str) -> str:
    """`cudaLaunchKernel_v7000`, `cudaLaunchKernel_ptsz_v7000` → `cudaLaunchKernel`. The driver's `_v2` stays."""
    found = re.search(r"(?:_pt(?:sz|ds))?_v\d{4,5}(?:_pt(?:sz|ds))?$", name) or re.search(r"_pt(?:sz|ds)$", name)
    return name[: found.start()] if found else name


def renamed(texts: Texts, ids: I64) -> I64:
    """Names of calls by id, without their versions."""
    unique, which = distinct(ids)
    new = [texts.add(call_name(texts[i])) if i >= 0 else i for i in unique.tolist()]
    return np.array(new, np.int64)[which] if len(ids) else ids


def kernel_details(texts: Texts, columns: Mapping[str, I64], occupancy: I64 | None = None) -> I64:
    """The text of each kernel. occupancy: in millionths, 0 unknown."""
    given = [columns[name] for name in LAUNCH]
    percent = np.zeros(len(given[0]), np.int64) if occupancy is None else occupancy
    if not len(percent):
        return percent
    unique, which = distinct_rows(*given, percent)
    return np.array([texts.add(_details(row)) for row in unique.tolist()], np.int64)[which]


def _details(row: list[int]) -> str:
    registers, static, dynamic, *shape, millionths = row
    grid, block = shape[:3], shape[3:]
    named: list[tuple[str, object]] = [
        ("regs", registers if registers >= 0 else None),
        ("static_shared", static if static >= 0 else None),
        ("dynamic_shared", dynamic if dynamic >= 0 else None),
        ("grid", ",".join(map(str, grid)) if min(grid) >= 0 else None),
        ("block", ",".join(map(str, block)) if min(block) >= 0 else None),
        ("occ_pct", f"{millionths / 1e4:g}" if millionths > 0 else None),
    ]
    return " ".join(f"{name}:{value}" for name, value in named if value is not None)


def copies(
    texts: Texts, kind: I64, source: I64, target: I64, size: I64, memory: Mapping[int, str], is_async: I64 | None = None
) -> tuple[I64, I64]:
    """Names and details of copies: `Memcpy HtoD (Pinned -> Device)`, `kind_src:pinned kind_dst:device size:8`.

    memory: kinds of memory by number. is_async: 1, 0, or -1 unknown.
    """
    flag = np.full(len(kind), -1, np.int64) if is_async is None else is_async
    if not len(kind):
        return kind, kind
    unique, which = distinct_rows(kind, source, target, size, flag)
    pairs = [_copy(row, memory) for row in unique.tolist()]
    names = np.array([texts.add(name) for name, _ in pairs], np.int64)
    details = np.array([texts.add(text) for _, text in pairs], np.int64)
    return names[which], details[which]


def _copy(row: list[int], memory: Mapping[int, str]) -> tuple[str, str]:
    kind, source, target, size, flag = row
    way = COPIES.get(kind, "")
    ends = [memory.get(source, "unknown"), memory.get(target, "unknown")]
    if way:
        ends = [_SIDES[side] if end == "unknown" else end for end, side in zip(ends, (way[0], way[3]), strict=True)]
    shown = " -> ".join(end.replace("_", " ").capitalize() for end in ends)
    name = f"Memcpy {way} ({shown})" if way else f"Memcpy ({shown})"
    if kind in _MIGRATIONS:
        name = f"Memcpy {way} (unified memory)"
    parts = [f"kind_src:{ends[0]} kind_dst:{ends[1]}"]
    parts += [f"size:{size}"] if size >= 0 else []
    parts += [f"async:{flag}"] if flag >= 0 else []
    return name, " ".join(parts)


def fills(texts: Texts, kind: I64, size: I64, memory: Mapping[int, str]) -> tuple[I64, I64]:
    """Names and details of fills: `Memset (Device)`, `kind:device num_bytes:8`."""
    if not len(kind):
        return kind, kind
    unique, which = distinct_rows(kind, size)
    ends = [memory.get(number, "unknown") for number, _ in unique.tolist()]
    names = [texts.add("Memset (" + ("Device" if end == "unknown" else end.capitalize()) + ")") for end in ends]
    details = [
        texts.add(f"kind:{'device' if end == 'unknown' else end}" + (f" num_bytes:{size}" if size >= 0 else ""))
        for end, (_, size) in zip(ends, unique.tolist(), strict=True)
    ]
    return np.array(names, np.int64)[which], np.array(details, np.int64)[which]


# Names of NVTX ranges → PyTorch's operators, where `torch.autograd.profiler.emit_nvtx()` wrote them, and what apex's
# `pyprof` noted of calls.
#
# `aten::addmm, seq = 12, op_id = 7, sizes = [[4], [2, 3], [3, 4]], input_op_ids = [...]` is a call of `aten::addmm`
# with
# these inputs; autograd's node of a call has its sequence number. Older ones: `addmm, seq = 12`. pyprof's are dicts
# in
# Python's notation: `{'traceMarker': ['train.py:12', …]}` of the call stack, `{'mod': 'torch', 'op': 'linear', …}` of
# a
# function of Python. They are not evaluated.

OPERATOR, ANNOTATION, FRAME = "cpu_op", "user_annotation", "Call stack"
#: Of a name so much is looked at: the sizes of inputs of many tensors have some thousand letters.
_HEAD = 8000
_PART = regex(r", (?:seq|op_id|sizes|input_op_ids) = ")
_NUMBERS = regex(r"(?:, seq = (\d{1,18}))?(?:, op_id = (\d{1,18}))?")
#: What emit_nvtx writes of an operator without a number.
_BARE = regex(r"(?:aten|c10d|torch::autograd|autograd)::\S[^{}]{0,300}")
_STACK = regex(r"\{'traceMarker': \[([^\]]*)\]")
_CALL = regex(r"\{'mod': '([^']{0,200})', 'op': '([^']{1,200})'")


class _Read(NamedTuple):
    """name and stack: texts. dims: of the inputs. sequence: autograd's number, -1 where there is none."""

    name: str
    is_operator: bool = False
    sequence: int = NONE
    dims: str = ""
    stack: str = ""


class Ranges(NamedTuple):
    """By range the id of its name, and stats. is_torch: whether PyTorch wrote operators among them."""

    name: I64
    stats: list[Stat]
    is_torch: bool


def read_names(texts: Texts, ids: I64) -> Ranges:
    """What names of ranges say; ids: of the names, NONE without one."""
    unique, which = distinct(ids)
    read = [_read(texts[i][:_HEAD]) for i in unique.tolist()]
    is_torch = any(each.is_operator for each in read)
    if not is_torch and not any(each.stack for each in read):
        return Ranges(ids, [], False)
    name = np.array([texts.add(each.name) for each in read], np.int64)[which]
    category = np.array([texts.add(OPERATOR if each.is_operator else ANNOTATION) for each in read], np.int64)[which]
    sequence = np.array([each.sequence for each in read], np.int64)[which]
    dims, stack = (
        np.array([texts.add(text) if text else NONE for text in column], np.int64)[which]
        for column in ([each.dims for each in read], [each.stack for each in read])
    )
    stats = [
        Stat("category", category, None if is_torch else np.zeros(len(ids), bool), StatKind.TEXT),
        Stat("Sequence number", sequence, sequence >= 0),
        Stat("Input Dims", dims, dims >= 0, StatKind.TEXT),
        Stat(FRAME, stack, stack >= 0, StatKind.TEXT),
    ]
    return Ranges(name, stats, is_torch)


def _read(text: str) -> _Read:
    if text.startswith("{'"):
        return _marker(text)
    part = _PART.search(text)
    if part is None or not part.start():
        return _Read(text, is_operator=bool(_BARE.fullmatch(text)))
    at = part.start()
    numbers = _NUMBERS.match(text, at)
    if numbers is None or numbers.end() == at:
        return _Read(text)
    _, _, rest = text[numbers.end() :].partition(", sizes = ")
    dims = rest.partition(", input_op_ids")[0]
    return _Read(text[:at], True, int(numbers[1]) if numbers[1] else NONE, dims)


def _marker(text: str) -> _Read:
    """pyprof's: the innermost frame of a stack, or the function of Python that is called."""
    if stack := _STACK.match(text):
        frames = re.findall(r"'([^']*)'", stack[1])
        return _Read(frames[-1] if frames else "traceMarker", stack=";\n".join(reversed(frames)))
    if call := _CALL.match(text):
        return _Read(f"{call[1]}.{call[2]}")
    return _Read(text)


def of_calls(texts: Texts, is_driver: Mask, is_torch: bool) -> list[Stat]:
    """The category of calls of CUDA's, as PyTorch's profiler has it; none of other programs."""
    if not is_torch:
        return []
    driver, runtime = texts.add("cuda_driver"), texts.add("cuda_runtime")
    return [Stat("category", np.where(is_driver, driver, runtime), None, StatKind.TEXT)]


# How a kernel was launched, and what a multiprocessor holds → theoretical occupancy, as CUDA's documents compute it.
#
# Of a multiprocessor's warps those that fit at once: by threads, blocks, registers and shared memory. Registers are
# given
# to warps 256 at a time and on four schedulers; shared memory by 128 bytes from compute capability 7.0 on (by 256
# before), and from 8.0 on the system takes 1 KiB a block.

_WARP, _SCHEDULERS, _REGISTER_UNIT = 32, 4, 256
_MOST = 1 << 40


def occupancies(limits: Callable[[int], tuple[int, ...]], device: I64, columns: Mapping[str, I64]) -> I64:
    """By kernel in millionths, 0 where it is unknown. limits: of a device."""
    given = [columns[name] for name in LAUNCH]
    if not len(device):
        return device
    unique, which = distinct_rows(device, *given)
    found = np.zeros(len(unique), np.int64)
    for number in np.unique(unique[:, 0]).tolist():
        mine = unique[:, 0] == number
        found[mine] = _occupancy(limits(number), np.clip(unique[mine, 1:], -1, _MOST))
    return found[which]


def _occupancy(limits: tuple[int, ...], launches: I64) -> I64:
    warps_held, blocks_held, registers_held, shared_held, capability = limits
    registers, static, dynamic = launches[:, 0], launches[:, 1], launches[:, 2]
    block = launches[:, 6:9].astype(float).prod(axis=1)
    if min(warps_held, blocks_held, registers_held, shared_held) <= 0 or capability < 30:
        return np.zeros(len(launches), np.int64)
    warps = np.ceil(np.clip(block, 0, 4096) / _WARP).astype(np.int64)
    per_warp = -(-np.clip(registers, 1, 1024) * _WARP // _REGISTER_UNIT) * _REGISTER_UNIT
    by_registers = registers_held // per_warp // _SCHEDULERS * _SCHEDULERS // np.maximum(warps, 1)
    unit, reserved = (128 if capability >= 70 else 256), (1024 if capability >= 80 else 0)
    shared = -(-(np.maximum(static, 0) + np.maximum(dynamic, 0) + reserved) // unit) * unit
    by_shared = np.where(shared > 0, shared_held // np.maximum(shared, 1), blocks_held)
    by_warps = warps_held // np.maximum(warps, 1)
    blocks = np.minimum(np.minimum(by_registers, by_shared), np.minimum(by_warps, blocks_held))
    known = (warps > 0) & (registers > 0) & (static >= 0) & (dynamic >= 0) & (blocks > 0)
    share = np.minimum(blocks * warps / warps_held, 1.0)
    return np.where(known, np.round(share * 1e6), 0).astype(np.int64)
