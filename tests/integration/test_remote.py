"""A real TensorBoard, without TensorFlow, whose logdir is in an S3 store: the Profile tab reads it by itself."""

from __future__ import annotations

from pathlib import Path

from tests.integration._board import tensorboard
from tests.stores.s3 import ENVIRONMENT, served

SAMPLES = Path(__file__).parents[1] / "samples"
RUN = "two_hosts/2026_11_20_09_00_00"


def test_a_logdir_in_a_store(log: Path) -> None:
    with served() as store:
        for path in (SAMPLES / "two_hosts").rglob("*"):
            if path.is_file():
                store.put("b", f"logs/{path.relative_to(SAMPLES)}", path.read_bytes())
        environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL": store.url}
        with tensorboard(log, "--logdir", "s3://b/logs", env=environment) as board:
            assert [run["name"] for run in board.runs()] == [RUN]
            answer = board.ask("data", tool="overview", run=RUN)
            assert answer["hosts"] == ["worker-0", "worker-1"]
            with tensorboard(log.with_name("local"), "--logdir", str(SAMPLES)) as local:
                local.runs(at_least=2)
                assert local.ask("data", tool="overview", run=RUN)["tables"] == answer["tables"]
            # A page cannot name what the server was not started with.
            asked = len(store.asked)
            store.put("other", "h.xplane.pb", b"")
            for run in ("s3://other/h.xplane.pb", "s3://other", "../other"):
                assert board.get(f"data/plugin/perfplugin/data?tool=overview&run={run}").status == 404
            assert not any("/other" in path for _, path in store.asked[asked:])
    assert "Traceback" not in log.read_text()
