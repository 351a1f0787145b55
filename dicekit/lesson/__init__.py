"""The lessons: exercises that answer, and pupil copies made from the masters.

``check``, ``hint`` and ``progress`` are for the class; `python -m dicekit.lesson` and
`python -m dicekit.lesson.copies` are for whoever writes lessons.
"""

from dicekit.lesson.checks import check, hint
from dicekit.lesson.progress import progress

__all__ = ["check", "hint", "progress"]
