"""The lessons: exercises that answer, and pupil copies made from the masters.

``check`` and ``hint`` are for the class; `python -m dicekit.lesson` and
`python -m dicekit.lesson.copies` are for whoever writes lessons.
"""

from dicekit.lesson.checks import check, hint

__all__ = ["check", "hint"]
