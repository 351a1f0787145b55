"""Bring the catalogues of every language up to date: python -m dicekit.languages"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from dicekit.words import LANGUAGES

FOLDER = Path(__file__).parent
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def _marked(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """The texts that a module marks, also within f-strings, as Babel takes them."""
    source = file.read().decode()
    lines = ["", *source.splitlines()]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in keywords:
            texts = [getattr(arg, "value", None) for arg in node.args]
            above = lines[node.lineno - 1].strip()
            comments = [above[3:].strip()] if above.startswith("# =") else []
            strings = tuple(text if isinstance(text, str) else None for text in texts)
            yield node.lineno, node.func.id, strings, comments  # type: ignore[attr-defined]


def extracted() -> Any:
    """A catalogue of every text in the package that is marked for translation."""
    from babel.messages import Catalog
    from babel.messages.extract import extract_from_dir

    catalogue = Catalog(project="dicekit", fuzzy=False)
    methods: Any = [("**.py", _marked)]
    found = extract_from_dir(FOLDER.parent, method_map=methods, keywords=KEYWORDS)
    for file, line, text, comments, context in sorted(found, key=lambda f: (f[0], f[1])):
        catalogue.add(text, None, [(file, line)], auto_comments=comments, context=context)
    return catalogue


def read(language: str) -> Any:
    """The catalogue of a language, as its translator wrote it; empty for a new language."""
    from babel.messages import Catalog
    from babel.messages.pofile import read_po

    path = FOLDER / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, project="dicekit", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def written(catalogue: Any) -> tuple[bytes, bytes]:
    """The text of the .po file of a catalogue, and its .mo file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import write_po

    text, compiled = BytesIO(), BytesIO()
    write_po(text, catalogue, width=100, ignore_obsolete=True, include_lineno=False)
    write_mo(compiled, catalogue)
    return text.getvalue(), compiled.getvalue()


def missing(catalogue: Any) -> list[Any]:
    """The texts without a translation, or with one that is only guessed."""
    return [m.id for m in catalogue if m.id and (m.fuzzy or not all(_texts(m.string)))]


def _texts(said: Any) -> tuple[str, ...]:
    return said if isinstance(said, tuple) else (said,)


def main() -> None:
    argparse.ArgumentParser("python -m dicekit.languages", description=__doc__).parse_args()
    texts = extracted()
    for language in sorted(LANGUAGES.keys() - {"en"}):
        catalogue = read(language)
        catalogue.update(texts, no_fuzzy_matching=True, update_creation_date=False)
        po, mo = written(catalogue)
        (FOLDER / f"{language}.po").write_bytes(po)
        (FOLDER / f"{language}.mo").write_bytes(mo)
        for text in catalogue.obsolete:
            print(f"{language}: {text!r} is said no more, and its translation is gone")
        for text in missing(catalogue):
            print(f"{language}: {text!r} is not translated")


if __name__ == "__main__":
    main()
