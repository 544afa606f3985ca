"""The ``carom`` command, by the library of the package."""

from __future__ import annotations

import signal
import sys

from carom._carom import command


def main() -> int:
    """Does what the arguments ask for."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["sweep"] and any(word.partition("=")[0] == "--scheduler" for word in arguments):
        from carom._scheduler import main as by_scheduler

        return by_scheduler(arguments[1:])
    # The command handles signals itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["carom", *arguments], [sys.executable, "-m", "carom"])


if __name__ == "__main__":
    sys.exit(main())
