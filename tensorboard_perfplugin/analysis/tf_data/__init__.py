"""tf.data's iterators, pipelines, calls and threads, and what each call waited for."""

from .blame import ALL_SLOW, MADE_IT, SLOW
from .contention import Contention
from .graph import Node
from .host import Host
from .order import Mapped, Sharded, Shuffled, cores, mapped_singly, sharded_late, shuffled
from .partial import HostTfData, Pipeline, contention_in, host_tf_data
from .run import Run, whole

__all__ = [
    "ALL_SLOW",
    "MADE_IT",
    "SLOW",
    "Contention",
    "Host",
    "HostTfData",
    "Mapped",
    "Node",
    "Pipeline",
    "Run",
    "Sharded",
    "Shuffled",
    "contention_in",
    "cores",
    "host_tf_data",
    "mapped_singly",
    "sharded_late",
    "shuffled",
    "whole",
]
