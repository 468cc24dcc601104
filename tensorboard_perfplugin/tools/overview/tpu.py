"""TPU cores of all hosts → the scalars of a Cloud TPU overview, and the table of programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.devices.tpu import Core, TpuHost
from ...tables import Cells, Scalar
from ...units import PS_PER_MS, PS_PER_S
from .columns import MAX_PROGRAMS, TPU_SUMMARY

NO_TPU = "no TPU ran anything in the capture"
NO_OPS = "the capture does not record when ops ran on its TPUs"


def tpu_summary(hosts: Sequence[TpuHost | None]) -> tuple[dict[str, Scalar], dict[str, str]]:
    """What is known of TPU_SUMMARY, and why not the rest."""
    some = [h for h in hosts if h is not None]
    known = _shares(some)
    summary = {c.name: known.get(c.name) for c in TPU_SUMMARY}
    nothing = "" if any(h.cores for h in some) else NO_OPS if some else NO_TPU
    return summary, {n: nothing or _why_unknown(n) for n, v in summary.items() if v is None}


def _shares(hosts: Sequence[TpuHost]) -> dict[str, Scalar]:
    cores = [c for h in hosts for c in h.cores if not c.sparse and c.total_ps]
    chips = [chip for h in hosts for chip in h.chips]
    infeed = [c.infeed_ps / c.total_ps for c in cores]
    means, least, most = ((infeed,) * 3) if infeed else _given_infeed(hosts)
    return {
        "mxu_utilization_share": _used([h.mxu_share for h in hosts], [(c.flops, c.peak_flops, c) for c in cores]),
        "hbm_utilization_share": _used([h.hbm_share for h in hosts], [(c.hbm_bytes, c.peak_bytes, c) for c in cores]),
        "duty_cycle_share": _ratio(sum(on for on, _ in chips), sum(total for _, total in chips)),
        "infeed_mean_share": sum(means) / len(means) if means else None,
        "infeed_min_share": min(least, default=None),
        "infeed_max_share": max(most, default=None),
        "outfeed_share": sum(c.outfeed_ps / c.total_ps for c in cores) / len(cores) if cores else None,
        "matrix_op_share": _ratio(sum(c.matrix_ps for c in cores), sum(c.op_ps for c in cores)),
        "step_idle_share": _ratio(sum(c.step_idle_ps for c in cores), sum(c.step_ps for c in cores)),
    }


def _given_infeed(hosts: Sequence[TpuHost]) -> Iterator[list[float]]:
    """Mean, least and most of each host whose capture gives them."""
    return ([share for h in hosts if (share := h.infeed_shares[i]) is not None] for i in range(3))


def _used(measured: Sequence[float | None], counted: Sequence[tuple[float | None, float | None, Core]]) -> float | None:
    """Mean of what hosts measured; else amount ÷ (peak × time). A measured 0 yields to what the ops show."""
    shares = [share for share in measured if share is not None]
    mean = sum(shares) / len(shares) if shares else None
    if mean:
        return mean
    known = [(n, peak * c.total_ps / PS_PER_S) for n, peak, c in counted if n is not None and peak is not None]
    share = _ratio(sum(n for n, _ in known), sum(most for _, most in known)) if len(known) == len(counted) else None
    return mean if share is None or share > 1 else share


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _why_unknown(name: str) -> str:
    if name.endswith("_utilization_share"):
        return "the profiler did not measure it, and the data of the ops or the device do not suffice to compute it"
    return "no step was found" if name == "step_idle_share" else "the ops on TPU cores take no time"


def programs_table(hosts: Sequence[TpuHost | None]) -> dict[str, Cells]:
    """All hosts' programs, the longest first."""
    programs: dict[str, tuple[int, int]] = {}
    for host in hosts:
        for name, (count, ps) in host.programs.items() if host else ():
            before = programs.get(name, (0, 0))
            programs[name] = (before[0] + count, before[1] + ps)
    whole = sum(c.total_ps for h in hosts if h for c in h.cores if not c.sparse)
    rows = sorted(programs.items(), key=lambda item: (-item[1][1], item[0]))[:MAX_PROGRAMS]
    return {
        "program": [name for name, _ in rows],
        "occurrences": [count for _, (count, _) in rows],
        "total_ms": [ps / PS_PER_MS for _, (_, ps) in rows],
        "mean_ms": [ps / count / PS_PER_MS for _, (count, ps) in rows],
        "share": [_ratio(ps, whole) if ps <= whole else None for _, (_, ps) in rows],
    }
