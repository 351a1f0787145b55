"""What a school installs: the wheel, what is in it, and that it works with no checkout near."""

import os
import re
import socket
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from contextlib import contextmanager
from email import message_from_bytes
from pathlib import Path
from shutil import copy

import pytest

import dicekit
from dicekit.site import REFERENCE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
STRAYS = [
    "notebooks/games/farkle-1.jsonl",
    "notebooks/lesson-progress.txt",
    "notebooks/letter.txt",
    "notebooks/.ipynb_checkpoints/board-checkpoint.ipynb",
    "notebooks/solutions/games/farkle-1.jsonl",
    "dicekit/__pycache__/app.cpython-311.pyc",
]


def run(*command, cwd=ROOT, **options):
    options |= {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    result = subprocess.run([*map(str, command)], cwd=cwd, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def files():
    """The files of the checkout that git knows, or would."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return {name for name in listing.split("\0") if (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def built(files, tmp_path_factory):
    """Wheel and sdist of a checkout in which people have worked."""
    checkout, out = map(tmp_path_factory.mktemp, ("checkout", "dist"))
    for name in [*files, *STRAYS]:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, checkout / name) if name in files else (checkout / name).write_text("{}")
    run(sys.executable, "-m", "hatchling", "build", "-d", out, cwd=checkout)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_has_package_and_notebooks_and_nothing_else(files, built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    notebooks = {f"dicekit/{name}" for name in files if name.startswith("notebooks/")}
    assert names == notebooks | {name for name in files if name.startswith("dicekit/")}
    assert names >= {
        "dicekit/py.typed",
        "dicekit/languages/pt.mo",
        "dicekit/board/keys.js",
        "dicekit/board/css/board.css",
        "dicekit/solve/shipped/farkle.table",
        "dicekit/lesson/exercises/00.toml",
        "dicekit/notebooks/board.ipynb",
        "dicekit/notebooks/solutions/teachers-guide.md",
    }


def test_the_sdist_is_the_checkout(files, built):
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names == files | {"PKG-INFO", "notebooks/letter.txt"}  # no git: not ignored, so it stays


def test_what_the_wheel_says_of_itself(built):
    with zipfile.ZipFile(built[0]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        said = message_from_bytes(wheel.read(name))
        folder = name.partition("/")[0]
        assert wheel.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert said["Version"] == PROJECT["version"]
    assert said["License-Expression"] == "MIT"
    assert {"lab", "site", "test"} <= set(said.get_all("Provides-Extra"))
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (.*)$", changes, re.M)[0] == PROJECT["version"]


# Without a checkout


@pytest.fixture(scope="module")
def school(built, tmp_path_factory):
    """A computer with the wheel and nothing else: its Python, its home, its environment."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=True)
    scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    ours = {"HOME": str(home), "USERPROFILE": str(home), "VIRTUAL_ENV": str(home / "venv")}
    kept = {name: it for name, it in os.environ.items() if not name.startswith(("PYTHON", "JUPY"))}
    environment = kept | ours | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    run("python", "-m", "pip", "install", f"{built[0]}[lab]", "pytest", cwd=home, env=environment)
    return home, environment


@contextmanager
def dicekit_lab(school, *options):
    """`dicekit lab`; yields its address."""
    from lab import _wait_for

    home, environment = school
    news = home / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension"
    news.mkdir(parents=True, exist_ok=True)
    (news / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["dicekit", "lab", "--no-browser", "--port", str(port), *options]
    command += ["--", "--IdentityProvider.token=", "--ServerApp.allow_root=True"]
    with open(home / "lab.log", "w") as log:
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api", server, home / "lab.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def brought(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_documented_check(school):
    home, environment = school
    where = run("python", "-c", "import dicekit; print(dicekit)", cwd=home, env=environment)
    assert str(home / "venv") in where
    check = ("python", "-m", "pytest", "--pyargs", "dicekit", "--doctest-modules")
    assert re.search(r"\d{3} passed in", run(*check, cwd=home, env=environment))


@pytest.mark.slow
@pytest.mark.browser
def test_a_bank_on_the_board_in_the_lab(school, files):
    from lab import chromium, open_notebook, run_all
    from playwright.sync_api import expect

    folder = school[0] / "dicekit-notebooks"
    outside = []
    with dicekit_lab(school) as address, chromium() as browser:
        pupils = {
            Path(name).name for name in files if re.fullmatch(r"notebooks/[^/]+\.ipynb", name)
        }
        assert brought(folder) == pupils | {".dicekit.json"}
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        page.on("request", lambda request: outside.append(request.url))
        open_notebook(page, address, "board.ipynb")
        run_all(page)
        board = page.locator(".jp-OutputArea-output .dk-board")
        board.get_by_label("Dice", exact=True).select_option("real dice, typed in")
        board.get_by_role("button", name="Start").click()
        board.get_by_label("What the dice show").press_sequentially("1 5 2 3 3 4")
        for face in ("1", "5"):
            board.locator(".dk-die", has_text=re.compile(f"^{face}$")).first.click()
        board.get_by_role("button", name="Bank 150").click()
        expect(board.locator(".dk-say").get_by_text("banks 150 and has 150")).to_be_visible()
    assert [url for url in outside if not url.startswith((address, "data:", "blob:"))] == []
    (game,) = (folder / "games").glob("*.jsonl")
    assert "bank" in game.read_text("utf-8").lower()


@pytest.mark.slow
def test_the_teacher_gets_the_solutions(school, files):
    folder = school[0] / "teacher"
    with dicekit_lab(school, "--solutions", "--folder", str(folder)):
        solutions = {name for name in files if name.startswith("notebooks/solutions/")}
        assert {f"notebooks/{name}" for name in brought(folder) if "/" in name} == solutions


# The reference

SHORT = ("-d", "markdown", "--no-show-source", "dicekit")


@pytest.mark.parametrize("what", [SHORT, pytest.param(REFERENCE, marks=pytest.mark.slow)])
def test_the_reference_is_made_without_a_warning(what, tmp_path):
    run(sys.executable, "-W", "error", "-m", "pdoc", *what, "-o", tmp_path)
    page = (tmp_path / "dicekit.html").read_text("utf-8")
    assert {*dicekit.__all__} - {"plots"} <= {*re.findall(r'<section id="([^"]+)"', page)}
    assert (tmp_path / "dicekit" / "plots.html").is_file()  # the one name that is a module
