"""environment.yml, which conda reads, says the same as pyproject.toml, which pip reads."""

import copy
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rattler import MatchSpec, Version, VersionSpec
from rattler.exceptions import InvalidMatchSpecError

ROOT = Path(__file__).parents[1]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

PIP_NAMES = {"matplotlib-base": "matplotlib"}


def conda_bounds(environment):
    """Each conda entry by the name pip knows it by, with its bounds as conda understood them."""
    entries = [
        entry
        for entry in environment["dependencies"]
        if isinstance(entry, str) and not entry.startswith("python ")
    ]
    specs = [MatchSpec(entry, strict=True) for entry in entries]
    names = [spec.name.normalized for spec in specs]
    return {
        PIP_NAMES.get(name, name): str(spec.version or "")
        for name, spec in zip(names, specs, strict=True)
    }


def pip_bounds(project):
    extras = project["optional-dependencies"]
    requirements = map(Requirement, [*project["dependencies"], *extras["lab"], *extras["test"]])
    return {requirement.name: str(requirement.specifier) for requirement in requirements} | {
        "pip": ""
    }


def disagreements(environment, project):
    pip = pip_bounds(project)
    return [
        f"{name}: conda {bounds!r}, pip {pip.get(name)!r}"
        for name, bounds in conda_bounds(environment).items()
        if name not in pip or SpecifierSet(bounds) != SpecifierSet(pip[name])
    ]


def with_entry(entry):
    environment = copy.deepcopy(ENVIRONMENT)
    environment["dependencies"].append(entry)
    return environment


def test_shape():
    assert ENVIRONMENT["name"] == "dicekit"
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]
    assert ENVIRONMENT["dependencies"][-1] == {"pip": ["-e .[lab,test]"]}
    assert {"lab", "test"} <= PROJECT["optional-dependencies"].keys()


def test_the_packages_a_lesson_needs_come_from_conda():
    names = {"pip", "jupyterlab", "ipywidgets", "sympy", "matplotlib", "numpy"}
    names |= {"nbval", "tqdm", "voila", "anywidget"}
    assert conda_bounds(ENVIRONMENT).keys() == names


def test_same_bounds_as_pyproject():
    assert disagreements(ENVIRONMENT, PROJECT) == []


def test_python_is_one_version_as_repo2docker_reads_it():
    (entry,) = (each for each in ENVIRONMENT["dependencies"] if str(each).startswith("python"))
    minor = re.match(r"python\s*=+\s*([\d\.]*)", entry)[1]  # its own pattern; a range is not read
    assert str(MatchSpec(entry, strict=True).version) == f"{minor}.*"
    assert SpecifierSet(PROJECT["requires-python"]).contains(minor)


@pytest.mark.parametrize(("name", "bounds"), conda_bounds(ENVIRONMENT).items())
def test_what_is_installed_is_within_the_bounds(name, bounds):
    assert VersionSpec(bounds or "*").matches(Version(version(name)))


@pytest.mark.parametrize("broken", ["jupyterlab=>4", "sympy >=1.13,<", "nbval==1.*.x=="])
def test_a_broken_entry_is_refused(broken):
    with pytest.raises(InvalidMatchSpecError):
        conda_bounds(with_entry(broken))


@pytest.mark.parametrize("drifted", ["sympy >=1.12", "sympy", "seaborn >=0.13"])
def test_an_entry_that_drifted_is_noticed(drifted):
    assert len(disagreements(with_entry(drifted), PROJECT)) == 1
