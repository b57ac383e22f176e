"""Work that is spread over the cores of this machine, or over those of a cluster, by Ray Data.

This is the only place that knows Ray, which is imported when the first work begins.
"""

from timelens.cluster.joining import is_on_ray, joined
from timelens.cluster.work import Cluster, Stage

__all__ = ["Cluster", "Stage", "is_on_ray", "joined"]
