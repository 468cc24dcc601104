"""PyTorch's autograd profiler (`torch.autograd.profiler.profile().export_chrome_trace`), in Kineto's words.

Processes are `CPU functions` and, before PyTorch 1.9, `CUDA functions`, whose threads are devices; events have no
category. An arrow `cpu_to_cuda` leads from an operator to what it ran: both get its id as `External id`. What ran lies
between two CUDA events around its operator, so that of an operator that calls others it spans theirs and their gaps:
such are derived, since the others are what ran."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from ...formats import Format
from ...patterns import regex
from ...tables import I64, PlaneKind, TrackKind, distinct_rows, occurring
from ..common.build import Plane, Track
from ..json.reader import Document
from .generic import start_plan, threads
from .kineto import OPERATOR, external_ids, step_numbers
from .slices import Mask, Plan, Slices, joined

_HOST = "CPU functions"
_DEVICE = regex(r"(CUDA|HIP|XPU) functions")
_TO_KERNEL = ("cpu_to_cuda", "cpu_to_hip", "cpu_to_xpu")
#: From PyTorch 1.4 on names of operators have a namespace; before, those were bare names of functions.
_NAMESPACE, _BARE = "aten::", regex(r"\w+")
_NAME = 200
#: How the profiler calls copies of a GPU that have no operator's name.
_COPIES = {"Memcpy": "gpu_memcpy", "Memset": "gpu_memset"}


def is_autograd(document: Document) -> bool:
    return _HOST in document.events.ids


def autograd(document: Document, slices: Slices) -> Plan:
    plan, metadata = start_plan(document, slices)
    plan.format = Format.KINETO
    c = plan.events.columns
    of_device = [i for i, id in enumerate(plan.events.ids) if isinstance(id, str) and _DEVICE.fullmatch(id[:_NAME])]
    on_device = np.isin(c["pid"][slices.row], of_device)
    ran, called = np.flatnonzero(on_device), np.flatnonzero(~on_device)
    plan.planes.append(Plane("/host:CPU", PlaneKind.CPU))
    threads(plan, metadata, called, np.zeros(len(called), np.int64))
    for track in plan.tracks:
        # Calls that another process made (`node_id:1, thread_id:2`) are no numbered thread.
        track.kind = TrackKind.THREAD if track.kind == TrackKind.OTHER and track.order < 1 << 39 else track.kind
    _categories(plan, called, ran)
    categories = [i for i, text in enumerate(plan.events.texts) if text in _TO_KERNEL]
    to_kernel = np.isin(c["category"][slices.arrows], categories)
    source, target = joined(plan, slices.arrows[to_kernel])
    if not len(ran):
        # From PyTorch 1.9 on arrows lead to kernels that the file does not hold.
        plan.slices = structs.replace(slices, arrows=slices.arrows[~to_kernel])
    external_ids(plan, source, target)
    operator = np.full(len(slices.row), -1, np.int64)
    operator[target] = source
    _streams(plan, ran, operator[ran])
    step_numbers(plan, called)
    return plan


def _streams(plan: Plan, rows: I64, operator: I64) -> None:
    """A device a thread, with a stream of what ran and a derived one of operators around it. operator: slice, or -1."""
    s = plan.slices
    tid = plan.events.columns["tid"][s.row[rows]].astype(np.int64)
    by_start = np.lexsort((-s.length_ps[rows], s.start_ps[rows], tid))
    now, following = by_start[:-1], by_start[1:]
    calls = (tid[now] == tid[following]) & (operator[now] >= 0) & (operator[following] >= 0)
    calls &= _encloses(s, rows[now], rows[following]) & _encloses(s, operator[now], operator[following])
    encloses = np.zeros(len(rows), np.int64)
    encloses[now] = calls
    unique, which = distinct_rows(tid, encloses)
    first, planes = len(plan.tracks), dict[int, int]()
    for thread, is_derived in unique.tolist():
        if thread not in planes:
            number = plan.events.ids[thread] if thread >= 0 else 0
            ordinal = number if isinstance(number, int) and 0 <= number < 1 << 31 else len(planes)
            planes[thread] = len(plan.planes)
            stats = {"device_vendor": "Nvidia"}
            plan.planes.append(
                Plane(f"/device:GPU:{ordinal}", PlaneKind.GPU, ordinal, "Nvidia", (2, f"{ordinal:09}"), stats)
            )
        name, kind = ("operators", TrackKind.DERIVED) if is_derived else ("all streams", TrackKind.STREAM)
        plan.tracks.append(Track(planes[thread], is_derived, name, kind, is_derived))
    plan.track[rows] = first + which


def _encloses(s: Slices, outer: I64, inner: I64) -> Mask:
    within = s.start_ps[inner] + s.length_ps[inner] <= s.start_ps[outer] + s.length_ps[outer]
    mask: Mask = within & (s.start_ps[outer] <= s.start_ps[inner])
    return mask


def _categories(plan: Plan, called: I64, ran: I64) -> None:
    texts = plan.texts.texts
    names = occurring(plan.name, len(texts)).tolist()
    has_namespace = any(texts[i].startswith(_NAMESPACE) for i in names)
    on_host, on_device = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
    for i in names:
        name = texts[i][:_NAME]
        is_operator = OPERATOR.fullmatch(name) or (not has_namespace and _BARE.fullmatch(name))
        on_host[i] = plan.texts.add("cpu_op" if is_operator else "user_annotation")
        on_device[i] = plan.texts.add(_COPIES.get(name[:6], "kernel"))
    plan.category = plan.category.copy()
    plan.category[called] = on_host[plan.name[called]]
    plan.category[ran] = on_device[plan.name[ran]]
