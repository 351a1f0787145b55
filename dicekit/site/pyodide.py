"""Pyodide, the Python of the browser, and the packages that it starts with.

A file `pyodide-lock.json` names all packages and where each wheel is. Ours names those of Pyodide,
those that Pyodide has not (ipywidgets, anywidget, the kernel), and dicekit.
"""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
import zlib
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from lzma import LZMAError
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from dicekit.site.running import CannotBuild, python, run

LOCK = "pyodide-lock.json"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# What notebooks begin with, and what it needs, is loaded while the kernel starts.
OF_PYODIDE = ("micropip", "ipython", "jedi", "typing-extensions", "sympy", "tqdm")
HEAVY = ("numpy", "matplotlib")  # compiled: only Pyodide itself has them
FROM_INDEX = ("ipywidgets", "anywidget", "comm", "psygnal")  # in the versions installed here
KERNEL = Path("share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi")
OF_KERNEL = ("pyodide_kernel-*", "piplite-*", "ipykernel-*", "widgetsnbextension-4*")
Lock = dict[str, Any]


def distribution(given: Path | None, work: Path) -> Path:
    """The folder of a Pyodide distribution: the one that was given, or the core from npm.

    Raises CannotBuild for what is no distribution, and for one of another version.
    """
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    work.mkdir(parents=True)
    if given is None:
        npm = shutil.which("npm")
        if npm is None:
            raise CannotBuild(
                "Pyodide comes from npm, which is not installed. Install Node.js, or download "
                f"Pyodide {PYODIDE_VERSION} and name its folder: --pyodide FOLDER"
            )
        run(npm, "pack", "--silent", f"pyodide@{PYODIDE_VERSION}", folder=work)
        given = work / f"pyodide-{PYODIDE_VERSION}.tgz"
    place = given
    if given.is_file():
        place = work / "unpacked"
        try:
            with tarfile.open(given) as archive:
                archive.extractall(place, filter="data")
        except (tarfile.TarError, EOFError, OSError, zlib.error, LZMAError):
            raise CannotBuild(f"{given} is no archive of Pyodide, or damaged.") from None
    found = next((lock.parent for lock in sorted(place.rglob(LOCK))), place)
    if missing := [name for name in (LOCK, *CORE) if not (found / name).is_file()]:
        raise CannotBuild(f"{given} is no Pyodide distribution: it has no {', '.join(missing)}.")
    if f'"{PYODIDE_VERSION}"' not in (found / CORE[0]).read_text("utf-8"):
        raise CannotBuild(f"{given} is another version of Pyodide: {PYODIDE_VERSION} is needed.")
    return found


def closure(lock: Lock, names: Iterable[str]) -> set[str]:
    """The packages of these names, with all that they need.

    >>> lock = {"packages": {"a": {"depends": ["b"]}, "b": {"depends": []}, "c": {}}}
    >>> sorted(closure(lock, ["a"]))
    ['a', 'b']
    """
    found, waiting = set[str](), [*names]
    while waiting:
        name = waiting.pop().replace("_", "-").lower()
        if name not in found:
            found.add(name)
            waiting += lock["packages"][name]["depends"]
    return found


def packages(checkout: Path, source: Path, folder: Path, offline: bool) -> tuple[list[str], bool]:
    """Put wheels and their list into `folder`, for an offline site Pyodide too.

    Returns the names of the packages to start with, and whether numpy and matplotlib are there.
    """
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    folder.mkdir(parents=True)
    lock = json.loads((source / LOCK).read_text("utf-8"))
    known = lock["packages"]
    heavy = closure(lock, HEAVY)
    whole = not offline or all((source / known[name]["file_name"]).is_file() for name in heavy)
    chosen = closure(lock, OF_PYODIDE + (HEAVY if whole else ()))
    wanted = {name: version(name) for name in FROM_INDEX}
    if offline:
        for name in CORE:
            shutil.copy(source / name, folder)
        lock["packages"] = {}
        for name in sorted(chosen):
            wheel = source / known[name]["file_name"]
            if wheel.is_file():
                shutil.copy(wheel, folder)
                lock["packages"][name] = known[name]
            else:
                wanted[name] = known[name]["version"]
    else:
        for package in known.values():
            package["file_name"] = f"{PYODIDE_CDN_URL}/{package['file_name']}"
    own = folder / "own"
    download(wanted, own)
    for pattern in OF_KERNEL:
        for wheel in Path(sys.prefix, KERNEL).glob(f"{pattern}.whl"):
            shutil.copy(wheel, own)
    wheel_of(checkout, own)
    entries = {entry["name"]: entry for entry in map(described, sorted(own.glob("*.whl")))}
    for name, entry in entries.items():
        lock["packages"][name] = {"depends": [], "imports": []} | known.get(name, {}) | entry
    (folder / LOCK).write_text(json.dumps(lock), "utf-8")
    return sorted({*chosen, *entries}), whole


def download(versions: dict[str, str], folder: Path) -> None:
    """Wheels of pure Python, in these versions."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION

    pure = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
    which = (f"{name}=={version}" for name, version in versions.items())
    options = ("--no-deps", f"--python-version={PYODIDE_PYTHON_VERSION}", f"--dest={folder}")
    run(*python("pip", "download", *options, *pure, *which))


def wheel_of(checkout: Path, folder: Path) -> None:
    """The wheel of dicekit, without the notebooks: they are in the site, and answers are not."""
    built = folder / "built"
    run(*python("pip", "wheel", "--no-deps", f"--wheel-dir={built}", checkout))
    wheel = next(built.glob("dicekit-*.whl"))
    with ZipFile(wheel) as whole, ZipFile(folder / wheel.name, "w", ZIP_DEFLATED) as slim:
        for file in whole.infolist():
            if not file.filename.startswith("dicekit/notebooks/"):
                slim.writestr(file, whole.read(file))
    shutil.rmtree(built)


def described(wheel: Path) -> dict[str, Any]:
    """A wheel as the lock file describes it."""
    from packaging.utils import parse_wheel_filename

    name, version, *_ = parse_wheel_filename(wheel.name)
    return {
        "name": name,
        "version": str(version),
        "file_name": f"{wheel.parent.name}/{wheel.name}",
        "sha256": sha256(wheel.read_bytes()).hexdigest(),
        "install_dir": "site",
        "package_type": "package",
    }
