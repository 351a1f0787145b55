"""A web site with all lessons and the board, for browsers with nothing installed.

`build` makes a JupyterLite site: JupyterLab, with a Python that runs in the browser (Pyodide).
What is played and written stays in the storage of the browser, from where the first page of the
site downloads all of it as one .zip, and brings it back.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dicekit.site.landing import FOLDER, LOCALES, PLUGIN, STORAGE, pages
from dicekit.site.pyodide import CORE, LOCK, distribution, packages
from dicekit.site.running import CannotBuild, python, run
from dicekit.words import _, speaking

MARK = "dicekit-site.txt"  # tells a site from other folders
NEEDED = ("jupyterlite_core", "jupyterlite_pyodide_kernel", "jupyter_server", "anywidget", "pdoc")
FLOORS = ("games", "players", "coach", "probability", "generating", "simulation", "own_data")
# Left out: the solvers' innards, which pdoc does not read without warnings.
INNARDS = "best_turn|many_turns|one_turn|race_solver|rounds|shipped|standings|turn|turn_values"
REFERENCE = (
    *("-d", "markdown", "--no-show-source", "dicekit", *(f"dicekit.{name}" for name in FLOORS)),
    *("dicekit.lesson", "dicekit.solve", rf"!dicekit\.solve\.({INNARDS}|watched)"),
)
EXTENSIONS = (
    "@jupyterlite/pyodide-kernel-extension",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)
READ_ONLY = "board.ipynb"
PYODIDE = "./static/pyodide"


def build(
    checkout: Path,
    folder: Path,
    *,
    offline: bool = False,
    pyodide: Path | None = None,
    language: str = "en",
    say: Callable[[str], None] = print,
) -> None:
    """Build the site into `folder`, whole or not at all. An older site there is replaced; what
    others have put beside its files stays, but not what they have put into its folders.

    Its menus, its board and its first page speak `language`. An `offline` site holds all that it
    needs. Any other loads Pyodide, numpy and matplotlib from the internet. `pyodide` is a
    downloaded Pyodide distribution, a folder or an archive; without it the core of Pyodide comes
    from npm, and an offline site has no numpy and no matplotlib.

    Raises CannotBuild if something is missing, or if the folder holds other things.
    """
    check(checkout, folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as aside:
        site, work = Path(aside, "site"), Path(aside, "work")
        say("1 of 4: Pyodide and the packages …")
        source = distribution(pyodide, work / "distribution")
        names, whole = packages(checkout, source, work / "pyodide", offline)
        if not whole:
            say("numpy and matplotlib are not in this site: they need --pyodide FOLDER.")
        say("2 of 4: JupyterLite and the notebooks …")
        lite(checkout / "notebooks", work / "lite", site, settings(names, offline, language))
        shutil.move(work / "pyodide", site / PYODIDE)
        say("3 of 4: the reference …")
        run(*python("pdoc", *REFERENCE, "-o", site / "reference"), folder=checkout)
        say("4 of 4: the first page …")
        for name, text in pages(checkout / "notebooks", language, offline).items():
            (site / name).write_text(text, "utf-8")
        shutil.copy(FOLDER / "save.js", site)
        (site / MARK).write_text(f"dicekit {version('dicekit')}\n", "utf-8")
        if folder.exists():
            keep_others(folder, site)
            folder.rename(Path(aside, "old"))
        site.rename(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"The site is {folder} ({size / 1e6:.0f} MB). To look at it, run")
    say(f'  "{sys.executable}" -m http.server -b 127.0.0.1 -d "{folder}" 8000')
    say("and open http://127.0.0.1:8000/ in a browser.")


def keep_others(folder: Path, site: Path) -> None:
    """Copy what is in the folder and not of the site, such as a list of marks."""
    for path in folder.iterdir():
        copy = partial(shutil.copytree, symlinks=True) if path.is_dir() else shutil.copy2
        if not (site / path.name).exists():
            copy(path, site / path.name)


def check(checkout: Path, folder: Path) -> None:
    """Raises CannotBuild if something is missing, or if the folder holds other things."""
    if not (checkout / "pyproject.toml").is_file():
        raise CannotBuild("A site is built from dicekit's own folder, with its pyproject.toml.")
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise CannotBuild(
            f"{', '.join(missing)}: not installed. In the folder of dicekit, run\n"
            f'  "{sys.executable}" -m pip install -e ".[lab,site]"'
        )
    ours = folder.is_dir() and ((folder / MARK).exists() or not any(folder.iterdir()))
    if folder.exists() and not ours:
        raise CannotBuild(f"{folder} holds other things. Choose another: dicekit site FOLDER")


def settings(names: Sequence[str], offline: bool, language: str) -> dict[str, Any]:
    """What JupyterLite reads first: how its Python starts, and where work is kept."""
    kernel: dict[str, Any] = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "lockFileURL": f"{PYODIDE}/{LOCK}",
            "packages": names,
            "env": {"DICEKIT_LANGUAGE": language},
        },
    }
    if offline:
        kernel["pyodideUrl"] = f"{PYODIDE}/{CORE[0]}"
    return {
        "appName": "dicekit",
        "contentsStorageName": STORAGE,
        "settingsStorageName": STORAGE,
        "settingsOverrides": overrides(language),
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }


def overrides(language: str) -> dict[str, Any]:
    """Settings of JupyterLab: its language, and a button to save all work."""
    with speaking(language):
        button = {
            "name": "save-your-work",
            "command": "help:open",
            "args": {"url": "../index.html#save", "text": "dicekit", "newBrowserTab": True},
            "icon": "ui-components:download",
            "label": _("Save your work"),
            "caption": _("Download all your work, or bring it back"),
        }
    return {
        PLUGIN: {"locale": LOCALES[language]},
        "@jupyterlab/notebook-extension:panel": {"toolbar": [button]},
    }


def lite(notebooks: Path, work: Path, site: Path, settings: dict[str, Any]) -> None:
    """JupyterLab for the browser, with the notebooks in it."""
    content = work / "content"
    content.mkdir(parents=True)
    for path in notebooks.glob("*.ipynb"):
        shutil.copy(path, content)
    shared = Path(sys.prefix, "share", "jupyter", "labextensions")
    options = {
        "apps": ["lab", "notebooks", "tree"],
        "contents": ["content"],
        "output_dir": str(site),
        "ignore_sys_prefix": ["federated_extensions"],  # others may be installed here
        "federated_extensions": [str(shared / name) for name in EXTENSIONS],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    files = {
        "jupyter_lite_config.json": {"LiteBuildConfig": options},
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings},
    }
    for name, value in files.items():
        (work / name).write_text(json.dumps(value), "utf-8")
    run(*python("jupyterlite_core", "build"), folder=work)
    listing = site / "api" / "contents" / "all.json"
    listed = json.loads(listing.read_text("utf-8"))
    for file in listed["content"]:
        file["writable"] = file["name"] != READ_ONLY
    listing.write_text(json.dumps(listed), "utf-8")
