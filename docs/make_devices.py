"""`python docs/make_devices.py`: prints docs/devices.md with its tables as the package declares them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tensorboard_perfplugin.analysis.devices.datasheets import CHIPS, GENERATIONS, Chip, Generation, Rates

PRECISIONS = tuple(name.upper() for name in Rates._fields)


def main() -> None:
    text = (Path(__file__).parent / "devices.md").read_text()
    for name, rows in (("chips", chips()), ("generations", generations())):
        before, _, after = text.partition(f"<!-- {name} -->\n")
        text = f"{before}<!-- {name} -->\n{''.join(rows)}{after[after.index('<!-- end -->') :]}"
    sys.stdout.write(text)


def chips() -> Iterator[str]:
    head = ("device", "generation", "memory GB", "GB/s", *PRECISIONS, "sparse", "links GB/s", "source")
    return table(head, map(chip_row, CHIPS))


def chip_row(chip: Chip) -> Iterable[str]:
    sparse = f"× {chip.sparse}" if chip.sparse > 1 else ""
    memory = (cell(chip.memory_gb), cell(chip.bandwidth_gb_s))
    return (chip.name, chip.generation, *memory, *map(cell, chip.rates), sparse, cell(chip.link_gb_s), chip.source)


def generations() -> Iterator[str]:
    head = ("generation", "code", *PRECISIONS, "threads", "in step", "PCIe GB/s", "matrix units", "source")
    return table(head, (generation_row(one) for one in GENERATIONS if one.vendor != "google"))


def generation_row(one: Generation) -> Iterable[str]:
    numbers = (cell(one.threads), cell(one.group), cell(one.pcie_gb_s))
    name = f"{one.vendor.upper()} {one.name}"
    return (name, one.code, *map(cell, one.cycle), *numbers, "yes" if one.matrix else "no", one.source)


def cell(number: float | None) -> str:
    return "" if number is None else f"{number:,.6g}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = tuple(head)
    for row in (names, ["---"] * len(names), *rows):
        yield f"| {' | '.join(row)} |\n"


if __name__ == "__main__":
    main()
