"""The board as an app without code, or the lessons in JupyterLab.

    dicekit board                           the board, in a browser
    dicekit board --language fr             in French
    dicekit board --position "?game=Farkle&players=Ana&players=Bia&points=400&dice=2"
    dicekit board --ip 0.0.0.0              for other computers in the room, too
    dicekit board -- --theme=dark           what follows -- goes to Voilà
    dicekit lab                             the lessons
    dicekit lab --folder FOLDER             the lessons, in a folder of your choice
    dicekit lab --solutions                 and for the teacher: the answers and the guide
    dicekit site --help                     a web site of it all

You work on a copy of the notebooks. What you change in it is kept, and games are saved in it, in
the folder "games". Later starts bring newer versions of what you have not changed; beside what you
have changed they put them as "NAME (new).ipynb". What you have deleted comes back.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import chain, count
from pathlib import Path

from dicekit.games.positions import state_of
from dicekit.games.record import put
from dicekit.words import LANGUAGES

PUPILS, MASTERS = ["*.ipynb"], ["solutions/*.ipynb", "solutions/*.md"]
MEMORY = ".dicekit.json"  # the hashes of all that was ever copied
APPS = {"board": "voila.app", "lab": "jupyterlab.labapp"}
PORTS = {"board": 8866, "lab": 8888}
TRIED = 20  # ports
LEFT_ALONE = 1800  # seconds after which a board whose page is gone gives its memory back
# Voilà's page asks for fonts from outside, and would wait for them behind a school's firewall.
ONLY_HERE = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob: ws: wss:"


class Trouble(Exception):
    """What keeps the command from starting, in words."""


def originals() -> Path:
    """The folder of the notebooks: in the package, or beside it in a checkout."""
    package = Path(__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / "board.ipynb").is_file():
            return folder
    raise Trouble(f"There are no notebooks in {package.parent}. Install dicekit again.")


def bring(source: Path, folder: Path, patterns: Sequence[str] = PUPILS) -> list[str]:
    """Copy the notebooks into `folder`, and say in sentences what was done.

    Raises Trouble for a folder that holds other things, and OSError if it cannot be written.
    """
    known, said, written = _copied(folder), [], 0
    for path in sorted(chain.from_iterable(map(source.glob, patterns))):
        name, data = path.relative_to(source).as_posix(), path.read_bytes()
        fresh = sha256(data).hexdigest()
        for place in _places(folder / name):
            now = sha256(place.read_bytes()).hexdigest() if place.exists() else ""
            if now in ("", fresh, *known):
                break
        changed = place != folder / name
        if now != fresh and not (changed and fresh in known):
            place.parent.mkdir(parents=True, exist_ok=True)
            put(place, data)
            written += 1
            if changed:
                said.append(f"You have changed {name}: the newer one is {place.name}.")
        if fresh not in known:
            known.add(fresh)
            put(folder / MEMORY, json.dumps(sorted(known)).encode())
    return [f"Your copy of the notebooks is {folder} (new files: {written}).", *said]


def _copied(folder: Path) -> set[str]:
    """The hashes of what was copied into the folder before; a new folder is marked as ours."""
    if not (folder / MEMORY).exists():
        if folder.exists() and any(path.name[0] != "." for path in folder.iterdir()):
            raise Trouble(f"{folder} holds other things. Choose a new folder: --folder FOLDER")
        folder.mkdir(parents=True, exist_ok=True)
        put(folder / MEMORY, b"[]")
    try:
        return {*map(str, json.loads((folder / MEMORY).read_bytes()))}
    except (ValueError, TypeError, RecursionError):
        return set()  # damaged: then every notebook that differs counts as changed


def _places(path: Path) -> Iterator[Path]:
    """Where a notebook may go: under its name, or beside what a pupil made of it."""
    names = (f"{path.stem} (new {number})" for number in count(2))
    return map(path.with_stem, chain([path.stem, f"{path.stem} (new)"], names))


def free_port(ip: str, wanted: int | None, first: int) -> int:
    """The port wanted, or the first that is free. Raises Trouble if there is none."""
    for port in range(first, first + TRIED) if wanted is None else [wanted]:
        try:
            with socket.create_server((ip, port)) as server:
                return int(server.getsockname()[1])
        except OSError as error:
            why = (error.strerror or str(error)).split(" (")[0]
    raise Trouble(f"Port {port} of {ip} cannot be used: {why}. Choose another --port (or --ip).")


def address(ip: str, port: int) -> str:
    """What to type into a browser; for a server that lets others in, on any computer.

    >>> address("127.0.0.1", 8866)
    'http://127.0.0.1:8866/'
    """
    if ip == "0.0.0.0":
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
            outward.connect(("192.0.2.1", 9))  # sends nothing
            ip = outward.getsockname()[0]
    return f"http://{ip}:{port}/"


def start(options: argparse.Namespace, more: list[str]) -> None:
    """Bring the notebooks, say where everything is, and run the server until it is ended."""
    module = APPS[options.command]
    package = module.split(".")[0]
    if find_spec(package) is None:
        install = f'"{sys.executable}" -m pip install "dicekit[lab]"'
        raise Trouble(f"{package} is not installed. Install it: {install}")
    spoken = options.language or os.environ.get("DICEKIT_LANGUAGE") or "en"
    if spoken not in LANGUAGES:
        raise Trouble(f"DICEKIT_LANGUAGE is {spoken}: choose one of {', '.join(LANGUAGES)}")
    folder = options.folder
    try:
        said = bring(originals(), folder, PUPILS + (MASTERS if options.solutions else []))
    except OSError as error:
        why = f"{error.strerror or error}: {error.filename or folder}"
        raise Trouble(f"{folder} cannot be used ({why}). Choose another: --folder FOLDER") from None
    import_module(module)  # takes a second, in which another may take the port
    port = free_port(options.ip, options.port, PORTS[options.command])
    for name in ("language", "position"):
        if value := getattr(options, name):
            os.environ[f"DICEKIT_{name.upper()}"] = value  # for the board
    if options.command == "board":
        said.append(f"The board is at {address(options.ip, port)}")
    print(*said, "Ctrl + C ends it.", sep="\n", flush=True)
    given = {option.split("=")[0] for option in more}
    ours = server_options(options, folder, port)
    run(options.command, [*(each for each in ours if each.split("=")[0] not in given), *more])


def make_site(options: argparse.Namespace) -> None:
    """Build the site. Raises Trouble if it cannot be built."""
    from dicekit.site import build
    from dicekit.site.running import CannotBuild

    folder = options.folder
    how = {"offline": options.offline, "pyodide": options.pyodide, "language": options.language}
    try:
        build(Path(__file__).parents[1], folder, **how)
    except CannotBuild as problem:
        raise Trouble(str(problem)) from None
    except OSError as error:
        raise Trouble(f"{folder} cannot be built ({error}). Nothing was changed.") from None


def server_options(options: argparse.Namespace, folder: Path, port: int) -> list[str]:
    """How Voilà or JupyterLab is started."""
    values = {"ip": options.ip, "port": port, "port_retries": 0, "root_dir": folder}
    values["open_browser"] = not options.no_browser
    app = {"board": "Voila", "lab": "ServerApp"}[options.command]
    common = [f"--{app}.{name}={value}" for name, value in values.items()]
    common.append("--Application.log_level=ERROR")
    if options.command == "lab":
        quiet = ("news_url=None", "check_for_updates_class=jupyterlab.NeverCheckForUpdate")
        lab = ("default_url=/lab/tree/00-start-here.ipynb", *quiet)
        return [*common, *(f"--LabApp.{each}" for each in lab), "--ServerApp.answer_yes=True"]
    language = os.environ.get("DICEKIT_LANGUAGE") or "en"
    return [
        *(str(folder / "board.ipynb"), *common, f"--HTMLExporter.language_code={language}"),
        *("--VoilaConfiguration.strip_sources=True", "--TemplateExporter.exclude_markdown=True"),
        f"--MappingKernelManager.cull_idle_timeout={LEFT_ALONE}",
    ]


def run(command: str, options: list[str]) -> None:
    """Run Voilà or JupyterLab until it is ended."""
    if command == "board":
        from voila.app import Voila

        headers = {"Content-Security-Policy": ONLY_HERE}
        Voila.launch_instance(options, tornado_settings={"headers": headers})
    else:
        from jupyterlab.labapp import LabApp

        LabApp.launch_instance(options)


def _folder(text: str) -> Path:
    try:
        return Path(text).expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no number from 0 to 65535")
    return int(text)


def _position(link: str) -> str:
    try:
        state_of(link)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return link


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    raw = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser("dicekit", description=__doc__, formatter_class=raw)
    top.add_argument("--version", action="version", version=f"dicekit {version('dicekit')}")
    top.set_defaults(solutions=False)
    commands = top.add_subparsers(dest="command", required=True, metavar="board | lab | site")
    home = str(Path("~", "dicekit-notebooks"))
    for name, what in {"board": "the board as an app", "lab": "the lessons"}.items():
        add = commands.add_parser(
            name, help=what, description=__doc__, formatter_class=raw
        ).add_argument
        add("--folder", type=_folder, default=home, help="of your copy (default: %(default)s)")
        add("--language", choices=LANGUAGES, help="of the board")
        add("--position", type=_position, metavar="LINK", help="the board begins from it")
        add("--port", type=_port, help=f"(default: {PORTS[name]}, or the next that is free)")
        add("--ip", default="127.0.0.1", help="0.0.0.0 lets others in (default: only you)")
        add("--no-browser", action="store_true", help="open no browser")
        if name == "lab":
            add("--solutions", action="store_true", help="bring answers and teacher's guide, too")
    what = "a web site of the board and the lessons, for browsers with nothing installed"
    add = commands.add_parser("site", help=what, description=f"Build {what}.").add_argument
    add("folder", type=_folder, nargs="?", default="dicekit-site", help="(default: %(default)s)")
    how = "Python comes from the internet (default)"
    add("--online", action="store_false", dest="offline", default=False, help=how)
    add("--offline", action="store_true", help="all in the folder, for a school without internet")
    what = "a downloaded Pyodide: with it numpy and matplotlib, offline"
    add("--pyodide", type=_folder, help=what)
    add("--language", choices=LANGUAGES, default="en", help="of the menus (default: %(default)s)")
    return top


def main(arguments: list[str] | None = None) -> int:
    """The command. What it returns is the exit code: 1 if something keeps it from starting, 130
    for a site that was broken off."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it cannot say is no reason to end
            stream.reconfigure(errors="backslashreplace")
    typed = sys.argv[1:] if arguments is None else arguments
    cut = typed.index("--") if "--" in typed else len(typed)
    options = parser().parse_args(typed[:cut])
    try:
        if options.command == "site":
            make_site(options)
        else:
            start(options, typed[cut + 1 :])
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130 if options.command == "site" else 0
    return 0
