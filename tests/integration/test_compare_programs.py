"""Two captures of JAX, before and after a small change that renames all: each op is found again by what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_perfplugin
from tests.integration._programs import folder_of, run_programs
from tests.tools.answered import rows_of


@pytest.mark.slow
def test_what_a_scope_renames_is_found_by_what_it_is(tmp_path: Path) -> None:
    specs = ["jax_loop:none", "jax_loop:renamed"]
    run_programs(tmp_path, specs)
    answer = tensorboard_perfplugin.compare(*(str(folder_of(tmp_path, spec)) for spec in specs))
    rows = rows_of(answer, "ops", "was", "name", "match")
    products = [row for row in rows if row[1].endswith("dot_general")]
    assert products
    assert all("/model/" in name and was.endswith("/dot_general") for was, name, _ in products)
    assert {match for *_, match in products} == {"fingerprint"}
    new = {name for _, name, match in rows if match == "new"}
    assert any(name.endswith(("tanh", "reduce_sum")) for name in new), new
    assert not any("/model/" in name for name in new), new
