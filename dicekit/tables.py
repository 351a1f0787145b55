"""Small tables, as a notebook shows them and as text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape

# A caption, a head, rows that begin with a name, and the sentences below.
Grid = tuple[str, list[str], list[list[str]], list[str]]


def _words(text: str) -> str:
    """Words for HTML, in which a name such as $x$ is no formula."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", escape(text))


def html_table(caption: str, head: Iterable[str], rows: Iterable[list[str]], name: str = "") -> str:
    """A table of this class, of cells that are HTML already; a row begins with its name."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    begin = f'<table class="{name}">' if name else "<table>"
    above = f"<thead><tr>{top}</tr></thead>" if top else ""
    return f"{begin}<caption>{caption}</caption>{above}<tbody>{body}</tbody></table>"


class Shown(ABC):
    """What shows itself as a small table; without rows, as its caption alone."""

    @abstractmethod
    def grid(self) -> Grid:
        """What the table has to say."""

    def __repr__(self) -> str:
        caption, head, rows, notes = self.grid()
        wide = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = [
            "  ".join([name.ljust(wide[0]), *map(str.rjust, cells, wide[1:])]).rstrip()
            for name, *cells in (head, *rows)
        ]
        return "\n".join([caption, *(lines if rows else []), *notes])

    def _repr_html_(self) -> str:
        caption, head, rows, notes = self.grid()
        below = "".join(f"<p>{_words(note)}</p>" for note in notes)
        if not rows:
            return f"<p>{_words(caption)}</p>{below}"
        cells = [[*map(_words, row)] for row in rows]
        return html_table(_words(caption), map(_words, head), cells) + below
