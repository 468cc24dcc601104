"""The declared table of collectives."""

from __future__ import annotations

from ...tables import Column, TableSpec

COLLECTIVES = TableSpec(
    "collectives",
    "Collectives",
    "A row is a kind of collective and its process group, over all workers and the whole capture; of a Horovod "
    "timeline, a kind and a tensor.",
    (
        Column("kind", "text", "", "What is exchanged, by the library's or XLA's name of it."),
        Column("tensor", "text", "", "What a Horovod timeline calls it; null in other captures."),
        Column("group", "text", "", "Name of the process group; null where the capture does not hold it."),
        Column("ranks", "text", "", "Who is in it, as the capture has it (XLA: the replica groups)."),
        Column("group_size", "int64", "count", "How many ranks are in it."),
        Column("workers", "int64", "count", "How many of them are in this run's captures."),
        Column("count", "int64", "count", "Calls of all these workers."),
        Column(
            "bytes", "int64", "bytes", "Data of these calls: of each the larger of what it takes and gives on one rank."
        ),
        Column("mean_us", "float64", "us", "Mean time of a call, waiting for the last included; of Horovod's not."),
        Column("total_ms", "float64", "ms", "Time of all these calls."),
        Column(
            "algorithm_gb_s",
            "float64",
            "",
            "Bytes ÷ time in GB/s (10⁹ bytes); of calls that belong together the time is that of the shortest, from "
            "when the last came, else it holds the waiting and the rate is a lower bound.",
        ),
        Column(
            "bus_gb_s",
            "float64",
            "",
            "What each link carries, in GB/s (10⁹ bytes): algorithm bandwidth × 2 (n − 1) ÷ n of an all-reduce, "
            "(n − 1) ÷ n of an all-gather, reduce-scatter or all-to-all, 1 of others; n is the size of the group.",
        ),
        Column(
            "exposed_share",
            "float64",
            "share",
            "Part of the time in which the call's device computes nothing.",
        ),
        Column(
            "overlapped_share", "float64", "share", "Overlapped: part of the time in which the call's device computes."
        ),
        Column("collective_count", "int64", "count", "Collectives whose calls on all these workers are known."),
        Column(
            "skew_us",
            "float64",
            "us",
            "From the first worker's arrival to the last one's; mean. All end at once, so it is the longest call minus "
            "the shortest, whatever the clocks show. Of Horovod's: the negotiation, by the coordinator's clock.",
        ),
        Column("max_skew_us", "float64", "us", "The largest of these."),
        Column("peer_wait_ms", "float64", "ms", "Time of these calls before the last worker came; sum over workers."),
        Column(
            "last_worker",
            "text",
            "",
            "The worker that comes last to at least half of those that it takes part in; null for none.",
        ),
        Column("last_share", "float64", "share", "Part of those that it takes part in to which it comes last."),
        Column("lag_us", "float64", "us", "How much later it comes than the others' median; mean."),
        Column("why_unknown", "text", "", "Why what is missing in this row is unavailable."),
    ),
    key=("kind", "group", "ranks", "group_size", "tensor"),
    proved=("total_ms",),
)
