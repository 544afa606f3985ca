"""The ``carom`` command, by the library of the package."""

from __future__ import annotations

import signal
import sys

from carom._carom import command


def main() -> int:
    """Does what the arguments ask for."""
    # The command handles signals itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["carom", *sys.argv[1:]], [sys.executable, "-m", "carom"])


if __name__ == "__main__":
    sys.exit(main())
