"""`PEER_PYTHON tests/parity/tf_stats.py FILE.tensorflow_stats.pb …`: ops as TensorFlow summed them up, as JSON.

By file: the rows without idle time, each a value by the message's own field name, read by xprof's generated class.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from xprof.protobuf import tf_stats_pb2


def table(file: Path) -> list[dict[str, Any]]:
    database = tf_stats_pb2.TfStatsDatabase.FromString(file.read_bytes())
    records = database.without_idle.tf_stats_record
    return [{field.name: value for field, value in record.ListFields()} for record in records]


def main() -> None:
    json.dump({name: table(Path(name)) for name in sys.argv[1:]}, sys.stdout)


if __name__ == "__main__":
    main()
