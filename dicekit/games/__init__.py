"""The games as immutable states, their scoring tables and the records of play.

``states``    the vocabulary: actions, chance, the protocol of a state
``scoring``   scoring tables as data, and the best split of dice into rows
``options``   the options of a game: their values, their checks, their words
``banking``   a turn of throw, set aside, stop or throw
``farkle``    Farkle
``record``    a game as its list of events: saved, resumed, undone
"""
