"""The widget board: a game in play, in a notebook.

``board``     the board itself
``setup``     the screen on which a game is chosen
``words``     what happened and what may be done, in words
``pictures``  dice and tables as HTML and SVG
"""

from dicekit.board.board import Board

__all__ = ["Board"]
