"""A study on Ray: ``python ray_study.py STUDY OUT`` on a machine of the cluster, all of which see both paths; needs ``ray``.

Ray has no executor with ``submit``; these few lines are one. A worker that dies is told by its future, and ``carom.sweep`` tries its run
again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import ray  # type: ignore[import-untyped, import-not-found, unused-ignore]

import carom


class RayExecutor:
    """One run a task, one core a run."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        task = cast(Any, ray).remote(num_cpus=1, max_retries=0)(fn_of(fn))
        return task.remote(*args).future()


def fn_of(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Ray wants a function of Python; that of the package is one of its library."""

    def call(*args: Any) -> Any:
        return fn(*args)

    return call


if __name__ == "__main__":
    ray.init()
    print(carom.sweep(sys.argv[1], out=sys.argv[2], executor=RayExecutor(), progress=True))
