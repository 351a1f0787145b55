"""The games as immutable states, their scoring tables and the records of play.

- ``states``: the vocabulary: actions, chance, the protocol of a state
- ``options``: the options of a game: their values, their checks, their words
- ``scoring``: scoring tables as data, and the best split of dice into rows
- ``banking``: a turn of throw, set aside, stop or throw
- ``farkle``: Farkle
- ``five_thousand``: 5000
- ``sheet``: score sheets as data
- ``dice_poker``: dice poker and its relatives
- ``record``: a game as its list of events: saved, resumed, undone
"""
