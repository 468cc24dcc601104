"""The declared table of collectives."""

from __future__ import annotations

from ...tables import Column, TableSpec

COLLECTIVES = TableSpec(
    "collectives",
    "Collectives",
    "A row is a kind of collective and its process group, over all workers and the whole capture; of a Horovod "
    "timeline, a kind and a tensor.",
    (
        Column.text("kind", "What is exchanged, by the library's or XLA's name of it."),
        Column.text("tensor", "What a Horovod timeline calls it; null in other captures."),
        Column.text("group", "Name of the process group; null where the capture does not hold it."),
        Column.text("ranks", "Who is in it, as the capture has it (XLA: the replica groups)."),
        Column.count("group_size", "How many ranks are in it."),
        Column.count("workers", "How many of them are in this run's captures."),
        Column.count("count", "Calls of all these workers."),
        Column.bytes("bytes", "Data of these calls: of each the larger of what it takes and gives on one rank."),
        Column.us("mean_us", "Mean time of a call, waiting for the last included; of Horovod's not."),
        Column.ms("total_ms", "Time of all these calls."),
        Column.number(
            "algorithm_gb_s",
            "Bytes ÷ time in GB/s (10⁹ bytes); of calls that belong together the time is that of the shortest, from "
            "when the last came, else it holds the waiting and the rate is a lower bound.",
        ),
        Column.number(
            "bus_gb_s",
            "What each link carries, in GB/s (10⁹ bytes): algorithm bandwidth × 2 (n − 1) ÷ n of an all-reduce, "
            "(n − 1) ÷ n of an all-gather, reduce-scatter or all-to-all, 1 of others; n is the size of the group.",
        ),
        Column.share("exposed_share", "Part of the time in which the call's device computes nothing."),
        Column.share("overlapped_share", "Overlapped: part of the time in which the call's device computes."),
        Column.count("collective_count", "Collectives whose calls on all these workers are known."),
        Column.us(
            "skew_us",
            "From the first worker's arrival to the last one's; mean. All end at once, so it is the longest call minus "
            "the shortest, whatever the clocks show. Of Horovod's: the negotiation, by the coordinator's clock.",
        ),
        Column.us("max_skew_us", "The largest of these."),
        Column.ms("peer_wait_ms", "Time of these calls before the last worker came; sum over workers."),
        Column.text(
            "last_worker", "The worker that comes last to at least half of those that it takes part in; null for none."
        ),
        Column.share("last_share", "Part of those that it takes part in to which it comes last."),
        Column.us("lag_us", "How much later it comes than the others' median; mean."),
        Column.text("why_unknown", "Why what is missing in this row is unavailable."),
    ),
    key=("kind", "group", "ranks", "group_size", "tensor"),
    proved=("total_ms",),
)
