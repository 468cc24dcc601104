"""Kernels and copies just below and just above each number that decides."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.devices import Attributes
from tensorboard_perfplugin.analysis.kernels import chosen_kernels, octaves
from tensorboard_perfplugin.analysis.kernels.copies import bus_gb_s
from tensorboard_perfplugin.analysis.kernels.launches import spread
from tensorboard_perfplugin.analysis.kernels.names import short
from tensorboard_perfplugin.timeline.names.demangle import demangled
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import ask, gpu, kernel, kernels_of, rows


@pytest.mark.parametrize(
    ("vendor", "major", "minor", "rate"),
    [
        ("Nvidia", 7, 5, 15.75),
        ("Nvidia", 8, 0, 31.5),
        ("Nvidia", 8, 9, 31.5),
        ("Nvidia", 9, 0, 63.0),
        ("AMD", 8, 9, None),
        ("AMD", 9, 0, 31.5),
        ("AMD", 9, 3, 31.5),
        ("AMD", 9, 4, 63.0),
        ("AMD", 11, 0, None),
    ],
)
def test_what_pcie_carries(vendor: str, major: int, minor: int, rate: float | None) -> None:
    told: Attributes = {"device_vendor": vendor, "compute_cap_major": major, "compute_cap_minor": minor}
    assert bus_gb_s("H2D", told, None) == rate


@pytest.mark.parametrize(
    ("major", "minor", "waves"),
    [
        *((7, 0, 3), (7, 5, 6), (8, 0, 3), (8, 6, 4), (8, 7, 4), (8, 9, 4), (9, 0, 3), (10, 0, 3), (12, 0, 4)),
        *((12, 1, 4), (99, 0, 3)),
    ],
)
def test_waves_of_twelve_blocks_of_which_a_half_of_a_multiprocessors_threads_run(
    major: int, minor: int, waves: int
) -> None:
    """One multiprocessor of 1,024, 1,536 or 2,048 threads, as one that is not known has: two, three or four blocks of
    256 at a time."""
    one: dict[str, StatValue] = {"device_vendor": "Nvidia", "core_count": 1}
    one |= {"compute_cap_major": major, "compute_cap_minor": minor}
    space = kernels_of("k", stats=one, kernel_details="regs:32 grid:12,1,1 block:256,1,1 occ_pct:50")
    assert rows(ask(timeline(space)), "kernels", "waves") == [(waves,)]


def test_durations_from_2_to_the_30_us_on_are_one_range() -> None:
    us = np.array([0.5, 1, 2, 2**29, 2**30, 2**31, 2**40])
    assert octaves((us * 1e6).astype(np.int64)).tolist() == [0, 1, 2, 30, 31, 31, 31]


@pytest.mark.parametrize(("count", "exact"), [(16_384, True), (16_385, False)])
def test_so_many_latencies_are_kept_as_they_are(count: int, exact: bool) -> None:
    values = 10**9 + np.arange(count)
    assert np.array_equal(spread(values).values, values) is exact


@pytest.mark.parametrize(("length", "name"), [(20_000, "Cijk_Ailk_MT64x64x16"), (20_001, "Cijk_Ailk_MT64x64x1")])
def test_20_000_letters_of_a_kernels_name_are_looked_at(length: int, name: str) -> None:
    assert short("Cijk_Ailk_MT64x64x16".rjust(length)) == name


LONG_LONG = "unsigned long long"


def of_type(letters: int) -> str:
    """A function of a class template with 998 arguments, whose name has so many letters."""
    return f"_Z1f{letters}{'X' * letters}I{'y' * 998}E"


@pytest.mark.parametrize(
    ("mangled", "said"),
    [
        ("_Z19993" + "f" * 19_993, "f" * 19_993),
        ("_Z19994" + "f" * 19_994, None),
        ("_Z1f" + "P" * 99 + "i", f"f(int{'*' * 99})"),
        ("_Z1f" + "P" * 100 + "i", "f(…)"),
        (of_type(40), f"f({'X' * 40}<{', '.join([LONG_LONG] * 998)}>)"),
        (of_type(41), "f(…)"),
    ],
    ids=[
        "20,000 letters",
        "20,001 letters",
        "100 deep",
        "101 deep",
        "a type of 20,000 letters",
        "a type of 20,001 letters",
    ],
)
def test_how_much_of_a_mangled_name_is_read(mangled: str, said: str | None) -> None:
    assert demangled(mangled) == said


@pytest.mark.parametrize(("pointers", "read"), [(49, True), (50, False)])
def test_a_name_refers_to_a_million_letters(pointers: int, read: bool) -> None:
    """A type of 19,980 letters, and so many pointers to it, each of which a later type might refer to."""
    found = demangled(of_type(20) + "PS0_" * pointers)
    assert found is not None
    assert (found.count(">*"), found == "f(…)") == ((pointers, False) if read else (0, True))


@pytest.mark.parametrize(("share", "chosen"), [(1e-4, True), (0.999e-4, False)])
def test_kernels_of_a_ten_thousandth_of_the_time_are_chosen(share: float, chosen: bool) -> None:
    """Of 10 ms."""
    space, ns = Space(), round(share * 10**7)
    line = gpu(space).line(7, "Stream #7(Compute)")
    kernel(line, "ampere_dgemm_128x64_nn", 0, ns)
    kernel(line, "other", 1000, 10_001_000 - ns)
    found = chosen_kernels(timeline(space))
    assert found is not None
    assert (len(found.tables[0].name), found.other_ps) == ((1, 10**10 - ns * 1000) if chosen else (0, 10**10))
