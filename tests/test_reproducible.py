"""Two builds of the same sources are the same bytes, and say which libraries of others they hold."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.twice import ROOT, first_build, second_build

STATIC = ROOT / "tensorboard_perfplugin" / "static"


#: Without compiled loops, which take a minute: `make twice` compares those, too.
ENVIRONMENT = {"PERFPLUGIN_LOOPS": "none", "SOURCE_DATE_EPOCH": "1700000000"}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return first_build(tmp_path_factory.mktemp("builds"), ENVIRONMENT)


@pytest.mark.slow
def test_two_builds_are_the_same_bytes(build: dict[str, bytes], tmp_path: Path) -> None:
    assert sorted(re.sub(r"-\d[\d.]*\d", "", name) for name in build) == [
        "tensorboard_perfplugin-py3-none-any.whl",
        "tensorboard_perfplugin.tar.gz",
    ]
    again = second_build(tmp_path, ENVIRONMENT)
    assert [name for name in build if build[name] != again[name]] == []


def test_the_source_archive_names_no_account_and_no_other_time(build: dict[str, bytes]) -> None:
    (data,) = (data for name, data in build.items() if name.endswith(".tar.gz"))
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        assert {(m.uname, m.gname, m.uid, m.mtime) for m in archive.getmembers()} == {("root", "root", 0, 1700000000)}


def files_of_wheel(build: dict[str, bytes]) -> dict[str, bytes]:
    (data,) = (data for name, data in build.items() if name.endswith(".whl"))
    archive = zipfile.ZipFile(BytesIO(data))
    return {re.sub(r"^[^/]*\.dist-info/", "", name): archive.read(name) for name in archive.namelist()}


def noticed() -> dict[str, str]:
    return dict(re.findall(r"^## (\S+) (\S+) \(MIT\)$", (STATIC / "licences.md").read_text(), re.MULTILINE))


def test_every_library_in_the_pages_is_noticed_with_its_licence() -> None:
    declared = json.loads((ROOT / "frontend" / "package.json").read_text())["dependencies"]
    locked: dict[str, Any] = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    locked.pop("")
    shipped = {name.removeprefix("node_modules/"): of["version"] for name, of in locked.items() if "dev" not in of}
    assert declared.items() <= shipped.items()
    assert noticed() == shipped
    for notice in (STATIC / "licences.md").read_text().split("\n## ")[1:]:
        assert "Copyright (c)" in notice
        assert "Permission is hereby granted" in notice


def test_the_wheel_holds_licences_and_a_bill_of_materials(build: dict[str, bytes]) -> None:
    files = files_of_wheel(build)
    assert files["licenses/tensorboard_perfplugin/static/licences.md"] == (STATIC / "licences.md").read_bytes()
    assert b"License-Expression: Apache-2.0 AND MIT\n" in files["METADATA"]
    bill = json.loads(files["sboms/perfplugin.cdx.json"])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert {each["name"]: each["version"] for each in bill["components"]} == noticed()
    assert bill["components"][0]["purl"] == f"pkg:npm/%40dagrejs/dagre@{noticed()['@dagrejs/dagre']}"
    record = files["RECORD"].decode()
    assert "/sboms/perfplugin.cdx.json,sha256=" in record


def test_the_wheel_s_description_is_the_readme_with_links_that_lead_anywhere(build: dict[str, bytes]) -> None:
    head, _, text = files_of_wheel(build)["METADATA"].decode().partition("\n\n")
    assert "Description-Content-Type: text/markdown" in head
    assert text.startswith("# perfplugin\n")
    assert re.findall(r"\]\((?!https://)[^)]*\)", text) == []


def test_no_path_of_the_machine_that_built_is_inside(build: dict[str, bytes]) -> None:
    folder = str(Path.home())
    found = [name for name, data in files_of_wheel(build).items() if folder.encode() + b"/" in data]
    assert found == []
