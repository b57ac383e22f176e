"""Distributes work over the cores of this machine or of a cluster, with Ray Data.

This is the only package that uses Ray, which is imported when the first work begins.
"""

from timelens.cluster.joining import is_on_ray, joined
from timelens.cluster.work import Cluster, Stage

__all__ = ["Cluster", "Stage", "is_on_ray", "joined"]
