"""``carom sweep STUDY --scheduler tcp://HOST:PORT``: a study on a cluster of Dask."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from carom._errors import CaromError
from carom._sweep import sweep


def main(arguments: Sequence[str]) -> int:
    """Does what the arguments behind ``sweep`` ask for; exit codes are those of the command."""
    parser = argparse.ArgumentParser(prog="carom sweep", description="Makes the runs of a study on a cluster of Dask.")
    parser.add_argument("study", type=Path, help="study file, which all workers see by this path")
    parser.add_argument("-o", "--out", type=Path, help="folder of the study, which all workers see by this path")
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS", help="such as tcp://HOST:8786")
    parser.add_argument("--no-report", action="store_true", help="do not write report.html of each run")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    given = parser.parse_args(arguments)
    try:
        import distributed  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        print("a scheduler needs Dask: pip install 'carom[dask]'", file=sys.stderr)
        return 2
    try:
        client = cast(Any, distributed).Client(given.scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        print(f"there is no scheduler at {given.scheduler}: {error}", file=sys.stderr)
        return 2
    try:
        with client:
            table = sweep(
                given.study, out=given.out, executor=client, reports=not given.no_report, progress=not given.quiet
            )
    except CaromError as error:
        print(error, file=sys.stderr)
        return 2
    print(table)
    return 0
