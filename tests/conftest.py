"""Browser tests need Chromium: without it they are skipped and say so, under CI they fail."""

import os
import shutil

import pytest
from hypothesis import settings

NO_CHROMIUM = "no Chromium found"

settings.register_profile("dicekit", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("dicekit")


def find_chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def chromium():
    """The path of the browser, for tests marked ``browser``."""
    return find_chromium()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.get_closest_marker("browser") and not find_chromium():
        if "CI" in os.environ:
            pytest.fail(f"{NO_CHROMIUM}, and under CI browser tests may not be skipped")
        pytest.skip(NO_CHROMIUM)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    result = yield
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_CHROMIUM in str(report.longrepr) for report in skipped)
    if count:
        were = "test was" if count == 1 else "tests were"
        terminalreporter.write_line(
            f"{count} browser {were} skipped: {NO_CHROMIUM} "
            "(looked for chromium, chromium-browser and google-chrome)",
            yellow=True,
        )
    return result
