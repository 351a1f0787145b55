"""Other programs, run quietly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any


class CannotBuild(ValueError):
    """Why a site cannot be built, in words."""


def python(module: str, *options: Any) -> tuple[Any, ...]:
    """How a module is run as a command."""
    return sys.executable, "-m", module, *options


def run(*command: Any, folder: Path | None = None) -> None:
    """Run a command quietly. Raises CannotBuild with its last words if it fails."""
    words = list(map(str, command))
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())[-500:]
        raise CannotBuild(f"This command failed: {' '.join(words)[:200]}\nIt said: {said}")
