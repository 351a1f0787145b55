"""The widget board: a game in play, in a notebook.

``board``         the board itself
``setup``         the screen on which a game is chosen
``advice``        the coach's place: what may be done, best first; the review of a game
``given``         what is handed to a board: games, players, typed throws, records
``play``          what a board shows of a game, as one interface
``play_banking``  Farkle and 5000 on the board
``play_sheet``    dice poker and its relatives on the board
``pictures``      dice and tables as HTML and SVG
``widgets``       buttons, boxes, what is shown and hidden
"""

from dicekit.board.board import Board

__all__ = ["Board"]
