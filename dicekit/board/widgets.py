"""Small helpers for the widgets of the board.

What a widget sets off is said in the language that was spoken when the widget was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from itertools import chain, repeat
from typing import Any

from ipywidgets import HTML, Button

from dicekit.words import language, speaking


def spoken(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler, which speaks the language of this moment whenever it is called."""
    spoken_now = language()

    @wraps(handler)
    def speaks(*given: Any) -> Any:
        with speaking(spoken_now):
            return handler(*given)

    return speaks


def in_its_language(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a board, in the board's language."""

    @wraps(method)
    def speaks(self: Any, *given: Any, **named: Any) -> Any:
        with speaking(self.language):
            return method(self, *given, **named)

    return speaks


def html(name: str) -> HTML:
    """An empty text of this class."""
    return HTML().add_class(name)


def button_for(words: str, click: Callable[[Any], Any], *names: str) -> Button:
    """A button of these classes."""
    button = Button(description=words)
    button._dom_classes = names
    button.on_click(spoken(click))
    return button


def watch(widget: Any, trait: str, changed: Callable[[Any], Any]) -> Any:
    """The widget; `changed` is called when this trait of it changes."""
    widget.observe(spoken(changed), trait)
    return widget


def box(kind: type, name: str, *children: Any) -> Any:
    """A box of this kind and class."""
    return kind(children).add_class(name)


def filled(buttons: list[Any], contents: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Each button with what it is for; those without are hidden, and have None."""
    for button, content in zip(buttons, chain(contents, repeat(None)), strict=False):
        show_if(button, content is not None)
        yield button, content


def change(widget: Any, **traits: Any) -> None:
    """Set traits of a widget, in one message to the browser."""
    with widget.hold_sync():
        for name, value in traits.items():
            setattr(widget, name, value)


def show_if(widget: Any, shown: bool) -> None:
    """Show a widget, or hide it."""
    widget.layout.display = "" if shown else "none"


def press_if(button: Any, on: bool) -> None:
    """Show a button as pressed, or not."""
    names = (name for name in button._dom_classes if name not in ("dk-toggle", "dk-on"))
    button._dom_classes = (*names, "dk-toggle", *["dk-on"] * on)


def close_all(*widgets: Any) -> None:
    """Close widgets and all that is in them."""
    for widget in widgets:
        close_all(*getattr(widget, "children", ()))
        for part in (widget.layout, getattr(widget, "style", None), widget):
            if part is not None:
                part.close()
