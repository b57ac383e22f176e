"""Work that is spread over the cores of this machine, or over those of a cluster, by Ray Data.

This is the only place that knows Ray, which only a process of its own imports, when the first work begins.
"""

from timelens.cluster.joining import Cluster, is_on_ray, joined
from timelens.cluster.work import Stage

__all__ = ["Cluster", "Stage", "is_on_ray", "joined"]
