"""Edit the exercises of a lesson: show what its file conceals, and conceal it again.

python -m dicekit.lesson reveal dicekit/lesson/exercises/02.toml
python -m dicekit.lesson conceal dicekit/lesson/exercises/02.toml
"""

import argparse
from pathlib import Path

from dicekit.lesson.checks import conceal, reveal


def main() -> None:
    parser = argparse.ArgumentParser("python -m dicekit.lesson", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=["reveal", "conceal"])
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    change = reveal if options.what == "reveal" else conceal
    for file in options.files:
        text = change(file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
