"""What a Python function waits for → the word for it in a cell."""

from __future__ import annotations

from ...analysis.functions import Wait

WAIT_WORDS = {
    Wait.GPU: "device",
    Wait.PEERS: "other ranks",
    Wait.OTHERS: "threads, processes",
    Wait.SLEEP: "sleep",
}
