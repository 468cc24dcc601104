"""What ran on GPUs in an Nsight Systems database → events of devices."""

from __future__ import annotations

import numpy as np

from ...messages import message
from ...tables import I64, StatKind
from .database import NONE, Database
from .devices import Devices, OnDevice, Row
from .nsys_facts import Facts
from .occupancy import occupancies
from .sheet import Sheet, Stat
from .words import LAUNCH, NSIGHT_MEMORY, copies, fills, kernel_details

_KIND = "CUPTI_ACTIVITY_KIND_"
_WHERE = ("start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "graphNodeId")
#: Samples of metrics that are kept: each takes 80 bytes.
MOST_SAMPLES = 1 << 20
#: What CUPTI writes for no stream.
_NO_STREAM = (1 << 32) - 1


def kernels(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    read = database.numbers(f"{_KIND}KERNEL", *_WHERE, "demangledName", "shortName", "mangledName", *LAUNCH)
    read |= _launching(facts, read)
    name = facts.texts(read["demangledName"])
    for other in ("shortName", "mangledName"):
        name = np.where(name < 0, facts.texts(read[other]), name)
    occupancy = occupancies(facts.limits, read["device"], read)
    details = kernel_details(database.texts, read, occupancy)
    stats = [Stat("kernel_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def moves(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Copies and fills."""
    memory = _memory(facts)
    read = database.numbers(f"{_KIND}MEMCPY", *_WHERE, "copyKind", "srcKind", "dstKind", "bytes")
    read |= _launching(facts, read)
    name, details = copies(database.texts, read["copyKind"], read["srcKind"], read["dstKind"], read["bytes"], memory)
    stats = [Stat("memcpy_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))
    read = database.numbers(f"{_KIND}MEMSET", *_WHERE, "bytes", "memKind")
    read |= _launching(facts, read)
    name, details = fills(database.texts, read["memKind"], read["bytes"], memory)
    stats = [Stat("memset_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def graphs(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Launches of graphs that were traced as a whole (`--cuda-graph-trace=graph`)."""
    read = database.numbers(f"{_KIND}GRAPH_TRACE", *_WHERE, "graphId", "graphExecId")
    read |= _launching(facts, read)
    number = np.where(read["graphExecId"] > 0, read["graphExecId"], read["graphId"])
    unique, which = np.unique(number, return_inverse=True)
    names = [database.texts.add(f"CudaGraphExec:{max(each, 0)}") for each in unique.tolist()]
    name = np.array(names, np.int64)[which.reshape(-1)] if names else number
    stats = [Stat("cuda_graph_id", number, number > 0), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def waits(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """How long the host waited for a stream, an event or a context."""
    read = database.numbers(f"{_KIND}SYNCHRONIZATION", *_WHERE, "syncType")
    read |= _launching(facts, read)
    labels = facts.label("ENUM_CUPTI_SYNC_TYPE")
    unique, which = np.unique(read["syncType"], return_inverse=True)
    names = [database.texts.add(labels.get(each, "Synchronization")) for each in unique.tolist()]
    name = np.array(names, np.int64)[which.reshape(-1)] if names else read["syncType"]
    read["streamId"] = np.where(read["streamId"] >= _NO_STREAM, NONE, read["streamId"])
    devices.add(_on(Row.WAITS, read, name, []))


def metrics(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Metrics of GPUs (`--gpu-metrics-device`), of very many samples evenly chosen ones."""
    table = "GPU_METRICS"
    if table not in database.tables:
        return
    read = database.numbers(table, "timestamp", "typeId", "metricId", "value")
    every = -(-len(read["metricId"]) // MOST_SAMPLES)
    if every > 1:
        sheet.notes.append(message("metric_samples_left_out", n=every))
        kept = np.flatnonzero(_nth(read["typeId"], read["metricId"]) % every == 0)
        sheet.dropped["metric_sample"] += len(read["metricId"]) - len(kept)
        read = {name: column[kept] for name, column in read.items()}
    rows = database.rows("TARGET_INFO_GPU_METRICS", ["metricId"], ["metricName"], most=20_000)
    names = {row.numbers["metricId"]: database.texts.add(row.texts["metricName"]) for row in rows}
    unique, which = np.unique(read["metricId"], return_inverse=True)
    ids = [names.get(each, NONE) for each in unique.tolist()]
    name = np.array(ids, np.int64)[which.reshape(-1)] if ids else read["metricId"]
    nothing = np.full(len(name), NONE, np.int64)
    device = np.where(read["typeId"] >= 0, read["typeId"] & 0xFF, 0)
    stats = [Stat("value", read["value"])]
    start = read["timestamp"]
    devices.add(OnDevice(Row.COUNTERS, device, nothing, nothing, nothing, name, start, start.copy(), stats))


def _nth(*keys: I64) -> I64:
    """Which of the rows with its keys each row is."""
    order = np.lexsort(keys)
    new = np.ones(len(order), bool)
    new[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    place, nth = np.arange(len(order)), np.empty(len(order), np.int64)
    nth[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return nth


def _memory(facts: Facts) -> dict[int, str]:
    """Kinds of memory by number, as the file has them."""
    labels = facts.label("ENUM_CUDA_MEM_KIND")
    return {number: label.lower().replace(" ", "_") for number, label in labels.items()} or NSIGHT_MEMORY


def _launching(facts: Facts, read: dict[str, I64]) -> dict[str, I64]:
    process = facts.process(read["globalPid"])
    correlation = facts.correlation(read["correlationId"], process)
    return {"process": process, "correlation": correlation, "device": facts.devices(read["deviceId"], process)}


def _stats(read: dict[str, I64]) -> list[Stat]:
    return [
        Stat("correlation_id", read["correlation"], read["correlation"] > 0),
        Stat("cuda_graph_node_id", read["graphNodeId"], read["graphNodeId"] > 0),
    ]


def _on(row: Row, read: dict[str, I64], name: I64, stats: list[Stat]) -> OnDevice:
    ids = (read["device"], read["process"], read["contextId"], read["streamId"])
    return OnDevice(row, *ids, name, read["start"], read["end"], stats)
