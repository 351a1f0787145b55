"""A language in which every translated text stands in ⟦ ⟧, to find words that are not translated.

Values are outside the brackets, so that they must be translated themselves.
"""

import re
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser
from string import Formatter
from unittest.mock import patch

from dicekit import words
from dicekit.languages.__main__ import extracted

SPOKEN_ATTRIBUTES = {"alt", "aria-label", "aria-description", "placeholder", "title"}


marked = cache(extracted)


class Brackets(NullTranslations):
    """A catalogue of all texts of the package, each in brackets."""

    def __init__(self):
        super().__init__()
        ids = [message.id for message in marked() if message.id]
        self.known = {text for id in ids for text in (id if isinstance(id, tuple) else (id,))}

    def gettext(self, text):
        if text not in self.known:
            return text
        parts = Formatter().parse(text)
        return "".join(
            (f"⟦{said}⟧" if said else "") + ("" if name is None else f"{{{name}}}")
            for said, name, _, _ in parts
        )

    def ngettext(self, one, many, n):
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context, text):
        return self.gettext(text)


@cache
def _brackets():
    return Brackets()


@contextmanager
def brackets(code=None):
    """Speak the language of brackets within a block, or only where this language is spoken."""
    usual = words._catalogue

    def catalogue(language):
        return _brackets() if code in (None, language) else usual(language)

    with patch.object(words, "_catalogue", catalogue):
        yield


class _Spoken(HTMLParser):
    """What a person reads or hears of HTML."""

    def __init__(self):
        super().__init__()
        self.said, self.heard, self.silent = "", [], 0

    def handle_starttag(self, tag, attributes):
        self.silent += tag in ("style", "script")
        self.said += "\n"
        self.heard += [value for name, value in attributes if name in SPOKEN_ATTRIBUTES and value]

    def handle_endtag(self, tag):
        self.silent -= tag in ("style", "script")

    def handle_data(self, data):
        self.said += data * (not self.silent)


def heard(html):
    """What a person reads or hears of a text or of HTML."""
    spoken = _Spoken()
    spoken.feed(str(html))
    spoken.close()
    return "\n".join([spoken.said, *spoken.heard])


def left_over(html, allowed=()):
    """The words of a text or of HTML that stand in no brackets, other than allowed names.

    Read are the text and what a screen reader says: labels, titles, alternative texts.

    >>> left_over('<b title="Ana">⟦It is ⟧Ana⟦.⟧ Go!</b>', ["Ana"])
    ['Go']
    """
    text = re.sub("⟦[^⟦⟧]*⟧", " ", heard(html))
    for name in sorted(map(str, allowed), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return re.findall(r"[^\W\d_]+", text)


def said_by(widget):
    """All that a widget and the widgets in it show or tell a screen reader, one text a line."""
    traits = ("description", "value", "placeholder", "tooltip", "said")
    texts = [getattr(widget, name, None) for name in traits]
    texts += getattr(widget, "_options_labels", ())
    texts += getattr(widget, "titles", ())
    for line in getattr(widget, "help", ()):  # of the keys, each with what it does
        texts += [line] if isinstance(line, str) else line[:2]
    inner = [said_by(child) for child in getattr(widget, "children", ())]
    return "\n".join([*(text for text in texts if isinstance(text, str) and text), *inner])
