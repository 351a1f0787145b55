"""The house rules: floors, late imports, size, style, and nothing that belongs to one machine."""

import ast
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dicekit"
MODULES = sorted(PACKAGE.rglob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")

MACHINE_PATH = re.compile(r"(?<![\w.-])/(?:home|Users|root|tmp|work)/|\b[A-Z]:\\{1,2}Users\b")
REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:com|org)|anaconda\.org")

every_module = pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)


def run(*command, **options):
    return subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options
    )


# What imports what


def package_of(path):
    return ".".join(path.relative_to(ROOT).parent.parts)


def is_module(name):
    base = ROOT.joinpath(*name.split("."))
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


def through_the_front_door(source, package):
    """The imports in ``source`` that take something from ``dicekit`` itself."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            if any(alias.name == "dicekit" for alias in node.names):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            modules = all(is_module(f"dicekit.{alias.name}") for alias in node.names)
            if base == "dicekit" and not (node.level and modules):
                found.append(ast.unparse(node))
    return found


def imported_at_once(source):
    """The names of the packages that ``source`` imports when it is itself imported."""
    names, nodes = set(), [ast.parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            nodes += node.orelse
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
        nodes += ast.iter_child_nodes(node)
    return names


def test_floors():
    lint_imports = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    result = run(lint_imports, "--no-cache")
    assert result.returncode == 0, result.stdout + result.stderr


@every_module
def test_no_module_uses_the_front_door(path):
    assert through_the_front_door(path.read_text(encoding="utf-8"), package_of(path)) == []


@pytest.mark.parametrize(
    ("line", "package"),
    [
        ("import dicekit", "dicekit"),
        ("import json, dicekit", "dicekit.games"),
        ("from dicekit import *", "dicekit.board"),
        ("from dicekit import dice", "dicekit"),
        ("from . import P", "dicekit"),
        ("from .. import throws", "dicekit.games"),
    ],
)
def test_the_front_door_is_noticed(line, package):
    assert through_the_front_door(line, package) == [line]


@every_module
def test_numpy_and_matplotlib_are_imported_late(path):
    assert not imported_at_once(path.read_text(encoding="utf-8")) & {"numpy", "matplotlib"}


def test_late_is_told_from_at_once():
    at_once = "try:\n import numpy.random\nexcept ImportError:\n from sympy import S\n"
    late = "def f():\n import numpy\nif TYPE_CHECKING:\n import matplotlib\n"
    assert imported_at_once(at_once + late) == {"numpy", "sympy"}


def test_the_front_door_is_light():
    heavy = ("sympy", "numpy", "matplotlib", "ipywidgets")
    code = f"import sys, dicekit; print(*[name for name in {heavy} if name in sys.modules])"
    result = run(sys.executable, "-c", code, check=True)
    assert result.stdout.strip() == ""


# Size


def lines_of_code(source):
    """How many lines are more than blank, comment or docstring."""
    silent = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in silent:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            lines.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


@every_module
def test_no_file_is_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_the_package_is_small():
    assert lines_of_code('"""Doc."""\n\n# why\nx = [\n    1,\n]\n') == 3
    # About 1,900 for the games, their records and positions, 3,000 for the board and its panels,
    # 2,900 for best play, opponents and coach, 1,200 for exact probability and its figures, 700 for
    # simulation and a class's own data, 1,200 for exercises and what is handed in and printed.
    assert 0 < sum(lines_of_code(path.read_text(encoding="utf-8")) for path in MODULES) < 11_700


# Style and types


@pytest.mark.parametrize(
    "tool", ["ruff check", "ruff format --check", "mypy"], ids=lambda tool: tool
)
def test_style(tool):
    result = run(sys.executable, "-m", *tool.split())
    assert result.returncode == 0, result.stdout + result.stderr


# Nothing that belongs to one machine


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry"])
def test_files_name_no(pattern):
    listing = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", check=True)
    names = [name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]
    assert "pyproject.toml" in names
    contents = {name: (ROOT / name).read_bytes() for name in names}
    assert [
        (name, found.group())
        for name, content in contents.items()
        if b"\0" not in content and (found := pattern.search(content.decode("utf-8")))
    ] == []


@pytest.mark.parametrize("parts", [("", "home", "ada"), ("C:", "Users", "ada")])
def test_a_machine_path_is_noticed(parts):
    separator = "/" if parts[0] == "" else "\\"
    assert MACHINE_PATH.search(f"saved in {separator.join(parts)}")


# README, the test command, and the browser


def test_readme_links_lead_somewhere():
    heads = re.findall(r"^#+ (.+)$", README, re.MULTILINE)
    anchors = {"#" + head.lower().replace(" ", "-") for head in heads}
    links = [link for link in re.findall(r"\]\(([^)\s]+)", README) if ":" not in link]
    assert [link for link in links if link not in anchors and not (ROOT / link).exists()] == []


def test_readme_tests_alike_on_every_system():
    calls = re.findall(r"pytest (--nbval[^&\"\n]*)", README.replace("\\", "/"))
    lax = "--nbval-lax notebooks --ignore=notebooks/solutions"
    assert [call.strip() for call in calls] == [lax, "--nbval"] * 3


@pytest.mark.skipif(not shutil.which("bash"), reason="CI runs in bash")
def test_ci_reads_its_command_out_of_readme():
    command = run("bash", ".ci/run", "--show", check=True).stdout
    assert command.count("\n") == 1
    assert command in README
    assert command.endswith("/pytest --nbval\n")


@pytest.fixture
def without_a_browser(tmp_path):
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n@pytest.mark.browser\ndef test_it(chromium): pass\n", encoding="utf-8"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = browser\n", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    environment["PATH"] = str(tmp_path)

    def pytest_in_it(**variables):
        command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path))
        return run(*command, env=environment | variables)

    return pytest_in_it


def test_without_chromium_the_last_lines_say_what_was_skipped(without_a_browser):
    result = without_a_browser()
    assert result.returncode == 0, result.stdout
    assert "1 browser test was skipped: no Chromium" in "".join(result.stdout.splitlines()[-2:])


def test_without_chromium_ci_fails(without_a_browser):
    result = without_a_browser(CI="true")
    assert result.returncode == 1, result.stdout
    assert "may not be skipped" in result.stdout
