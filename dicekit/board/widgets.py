"""Small helpers for the widgets of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

from ipywidgets import HTML, Button


def html(name: str) -> HTML:
    """An empty text of this class."""
    return HTML().add_class(name)


def button_for(words: str, click: Callable[[Any], None], *names: str) -> Button:
    """A button of these classes."""
    button = Button(description=words)
    button._dom_classes = names
    button.on_click(click)
    return button


def box(kind: type, name: str, *children: Any) -> Any:
    """A box of this kind and class."""
    return kind(children).add_class(name)


def filled(buttons: list[Any], contents: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Each button with what it is for; those without are hidden, and have None."""
    for button, content in zip(buttons, chain(contents, repeat(None)), strict=False):
        show_if(button, content is not None)
        yield button, content


def show_if(widget: Any, shown: bool) -> None:
    """Show a widget, or hide it."""
    widget.layout.display = "" if shown else "none"
