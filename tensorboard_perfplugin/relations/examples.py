"""Questions that people ask of a run, as queries: what the page offers to begin with, and docs/sql.md lists."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """question: in a user's words."""

    question: str
    query: str


EXAMPLES = (
    Example(
        "Where does the time of a step go?",
        "select category, step_ms, share from overview.split order by step_ms desc",
    ),
    Example(
        "Which steps are slow, and in what do they differ?",
        "select host, step, duration_ms, input_wait_ms, compilation_ms, idle_ms, start_ms from steps\n"
        "order by duration_ms desc limit 20",
    ),
    Example(
        "Which ops take most time of their own?",
        "select name, type, sum(occurrences) as occurrences, sum(self_us) as self_us from ops\n"
        "group by all order by self_us desc limit 20",
    ),
    Example(
        "Which kernels could use tensor cores and do not?",
        "select name, op_name, occurrences, total_us from kernels\n"
        "where tensor_core_eligible and not tensor_core_used order by total_us desc",
    ),
    Example(
        "How long do kernels wait after their launch, by name?",
        "select name, count(*) as launches, median(latency_ps) as latency_ps, max(latency_ps) as max_ps from launches\n"
        "group by name order by launches desc limit 20",
    ),
    Example(
        "Which kernels have few blocks, and so leave multiprocessors idle?",
        "select name, grid_x * grid_y * grid_z as blocks, block_x * block_y * block_z as threads, \n"
        "  count(*) as launches, sum(duration_ps) as duration_ps\n"
        "from launches where grid_x is not null group by all having blocks < 80 order by duration_ps desc limit 20",
    ),
    Example(
        "How busy is each stream of a device?",
        "select host, plane, track, sum(self_ps) as busy_ps, max(start_ps + duration_ps) - min(start_ps) as span_ps,\n"
        "  busy_ps / span_ps as busy_share\n"
        "from device_events group by all order by all",
    ),
    Example(
        "What does the host do in the longest gaps of a device?",
        "with gaps as (\n"
        "  select host, plane, start_ps as to_ps,\n"
        "    lag(start_ps + duration_ps) over (partition by host, track_id order by start_ps) as from_ps\n"
        "  from device_events)\n"
        "select gaps.host, gaps.plane, to_ps - from_ps as gap_ps, e.track, e.name, e.start_ps, e.duration_ps\n"
        "from (from gaps where to_ps > from_ps order by to_ps - from_ps desc limit 5) gaps\n"
        "join host_events e on e.host = gaps.host and e.start_ps < to_ps and e.start_ps + e.duration_ps > from_ps\n"
        "order by gap_ps desc, e.duration_ps desc limit 50",
    ),
    Example(
        "Which events have a certain stat, and what is it?",
        "select key, text, number, count(*) as events from event_stats\n"
        "where key in ('tf_op', 'hlo_op', 'shape', 'bytes_accessed') group by all order by events desc limit 20",
    ),
    Example(
        "What holds memory at its peak?",
        "select * exclude (run) from memory_profile.peak limit 20",
    ),
    Example(
        "Which ops allocate most?",
        "select op_name, count(*) as allocations, sum(size_bytes) as size_bytes from allocations\n"
        "where is_allocation group by all order by size_bytes desc limit 20",
    ),
    Example(
        "How fast are collectives, and how much of them is exposed?",
        'select kind, "group", count, total_ms, bus_gb_s, exposed_share from collectives order by total_ms desc',
    ),
    Example(
        "Do ranks differ?",
        "select host, count(*) as steps, median(duration_ms) as duration_ms, median(collective_ms) as collective_ms,\n"
        "  median(input_wait_ms) as input_wait_ms\n"
        "from steps group by host order by duration_ms desc",
    ),
    Example(
        "Which ops changed most between the runs?",
        "select name, max(self_us) - min(self_us) as change_us,\n"
        "  arg_min(run, self_us) as faster, arg_max(run, self_us) as slower\n"
        "from (select run, name, sum(self_us) as self_us from ops group by all)\n"
        "group by name having count(*) > 1 order by change_us desc limit 20",
    ),
    Example(
        "What is wrong with this run?",
        "select severity, share, tool, title, action from findings\n"
        "order by case severity when 'warning' then 0 when 'note' then 1 else 2 end, share desc",
    ),
)
