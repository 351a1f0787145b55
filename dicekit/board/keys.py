"""The board for the keyboard and the screen reader: one small widget in the page.

Plain widgets cannot say that a button is pressed, nor that a text has changed, and where a
button is hidden the focus is lost. `keys.js` sees to that in the browser.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from traitlets import List, Unicode, observe, validate

from dicekit.words import _, pgettext


def make_keys() -> Any:
    """The widget to put among the children of a board; None where there is no anywidget.

    Its trait `said` is what a screen reader says next. The same words set again are said again.
    """
    kind = _keys()
    return kind and kind()


@cache
def _keys() -> Any:
    try:
        from anywidget import AnyWidget
    except ImportError:
        return None

    class Keys(AnyWidget):
        _esm = files(__package__).joinpath("keys.js").read_text("utf-8")
        said: Any = Unicode().tag(sync=True)
        help: Any = List().tag(sync=True)

        @validate("said")
        def _said_again(self, proposal: Any) -> str:
            """A text with a space more is another text, and sounds the same."""
            text: str = proposal["value"]
            return f"{text}\N{NO-BREAK SPACE}" if text == self.said else text

        @observe("said")
        def _translate(self, change: Any = None) -> None:
            self.help = help_texts()

    return Keys


def help_texts() -> list[Any]:
    """The title of the list of keys, the word that closes it, and each key with what it does and
    the button that it presses, if it does."""
    return [
        _("Keys"),
        _("Close"),
        ("1 – 6", _("choose a die, or leave it")),
        ("← →", _("go to the die or button beside")),
        (pgettext("key", "T"), _("throw"), "throw"),
        (pgettext("key", "B"), _("bank"), "bank"),
        (pgettext("key", "U"), _("undo"), "undo"),
        (pgettext("key", "C"), _("coach"), "coach"),
        ("<", _("step back through the game"), "back"),
        (">", _("step forth through the game"), "forth"),
        ("?", _("show these keys")),
    ]
