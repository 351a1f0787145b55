"""A real JupyterLab on loopback, and Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=20_000)  # milliseconds; a busy machine takes its time

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@contextmanager
def jupyter_lab(root: Path, home: Path) -> Iterator[str]:
    """JupyterLab on the notebooks in `root`, its settings in `home`; yields its address."""
    settings = home / "settings"
    news = settings / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    (news / "notification.jupyterlab-settings").write_text(
        '{"fetchNews": "false", "checkForUpdates": false}'
    )
    folders = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "IPYTHONDIR": home / "ipython",
        "JUPYTERLAB_SETTINGS_DIR": settings,
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"),
        *(f"--port={port}", "--allow-root", "--IdentityProvider.token=", f"--notebook-dir={root}"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    environment = os.environ | {name: str(folder) for name, folder in folders.items()}
    with open(home / "lab.log", "w") as log:
        server = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/api", server, home / "lab.log")
        yield address
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(url: str, server: subprocess.Popen, log: Path, seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while server.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=2)
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def open_notebook(page: Page, address: str, name: str) -> None:
    """Open a notebook and wait until its kernel is ready."""
    page.goto(f"{address}/lab/tree/{name}?reset")
    page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for(timeout=60_000)
    # The notebook's own indicator says idle half a second before the kernel exists.
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=60_000)


def run_all(page: Page) -> None:
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('[data-command="runmenu:run-all"]').click()


def restart_kernel(page: Page) -> None:
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.locator('[data-command="kernelmenu:restart"]').click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.wait_for_timeout(500)
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=60_000)
