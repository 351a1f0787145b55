"""The widget board: a game in play, in a notebook.

- ``board``: the board itself: what is done with a game
- ``screen``: its widgets: what is seen of a game
- ``setup``: the screen on which a game is chosen
- ``shelf``: the list of saved games
- ``teacher``: the panel for the class: what is shown, looking back, a vote, a position
- ``explorer``: what a rule or a loaded die does to the chances; with ``measures``, ``compared``
- ``race_picture``: the race as a picture, and the end of a game
- ``keys``: the keyboard and the screen reader, with ``keys.js``
- ``advice``: the coach's place: what may be done, best first; the review of a game
- ``given``: what is handed to a board: games, players, typed throws, records
- ``play``: what a board shows of a game, as one interface
- ``play_banking``: Farkle and 5000 on the board
- ``play_sheet``: dice poker and its relatives on the board
- ``pictures``: dice and tables as HTML and SVG
- ``widgets``: buttons, boxes, what is shown and hidden
- ``css``: how it all looks
"""

from dicekit.board.board import Board
from dicekit.board.explorer import RuleExplorer

__all__ = ["Board", "RuleExplorer"]
