"""The picture of a race, and the end of a game: what they show, to whom, and how quickly."""

import re
from html import escape
from time import perf_counter

import pytest

from dicekit.board.race_picture import MOST_POINTS, ending, race_picture, turn_ends
from dicekit.coach import Coach
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, Bank, Decline, SetAside, Throw
from dicekit.players import BanksAt, HoldsAlike

HOSTILE = '<img src=x onerror="alert(1)">'


def played(rules, names=("Ana", "Bia"), seed=3, player=None):
    record, player = Record(rules, names, seed=seed), player or BanksAt(300)
    while not record.state.is_terminal:
        state = record.state
        record.roll() if state.current_player == CHANCE else record.add(player(state))
    return record


@pytest.fixture(scope="module")
def farkle():
    record = played(Farkle())
    return record, Coach(Farkle()).review(record)


def drawn(record, who):
    """The points of a player after each turn, read from the picture."""
    plot = race_picture(record).split("dk-names")[0]
    line, dot = re.findall(rf'class="dk-line-{who}[^>]* d="M\d+ (-?\d+)([^"]*)"', plot)
    points = turn_ends(record)[-1].scores[who] + int(dot[0]) - int(line[0])
    scores = [points]
    for kind, value in re.findall(r"([hv])(-?\d+)", line[1]):
        if kind == "h":
            scores += [points] * int(value)
        else:
            points -= int(value)
            scores[-1] = points
    return scores


@pytest.mark.parametrize(
    "rules",
    [
        Farkle(target=3000, farkle_penalty=500),
        FiveThousand.beginner(no_equal_scores=True, three_zeros=True),
        FiveThousand.official(first="highest throw"),
        DicePoker(),
    ],
)
def test_the_steps_are_the_scores_after_each_turn(rules):
    record = played(rules, player=HoldsAlike() if isinstance(rules, DicePoker) else None)
    turns = [turn for turn in record.turns() if turn and not getattr(turn[-1][0], "contenders", ())]
    for who in range(2):
        expected = [0, *(turn[-1][2].scores[who] for turn in turns)]
        assert drawn(record, who) == expected
    assert len(expected) > 10


def test_a_declined_bank_counts_in_its_own_turn():
    record = Record(FiveThousand.beginner(steal="turn"), ["Ana", "Bia"])
    for event in (Throw(), (1, 1, 1, 2, 3), SetAside((1, 1, 1)), Bank()):
        record.add(event)
    assert [state.scores for state in turn_ends(record)] == [(0, 0), (0, 0)]
    record.add(Decline())
    assert [state.scores for state in turn_ends(record)] == [(0, 0), (1000, 0)]


def test_an_undone_turn_leaves_the_picture_and_another_takes_its_place():
    record = Record(Farkle(), ["Ana", "Bia"])
    for event in (Throw(), (1, 1, 1, 5, 2, 3), SetAside((1, 1, 1)), Bank()):
        record.add(event)
    before = race_picture(record)
    record.undo()
    assert drawn(record, 0) == [0]
    record.add(SetAside((1, 1, 1, 5)))
    record.add(Bank())
    assert drawn(record, 0) == [0, 1050]
    assert race_picture(record) != before


def test_long_games_are_small_and_quick():
    record = played(Farkle(target=150_000))
    turns = len(turn_ends(record)) - 1
    assert turns > 400
    assert len(race_picture(record)) < 40 * turns
    seconds = []
    for _ in range(10):
        begin = perf_counter()
        race_picture(record)
        seconds.append(perf_counter() - begin)
    assert min(seconds) < 0.02


def test_the_picture_is_told_in_words_and_names_do_no_harm():
    record = played(Farkle(target=1000), (HOSTILE, 'B"&'))
    review = Coach(record.rules).review(record)
    for html in (race_picture(record), ending(record), ending(record, review)):
        assert "<img" not in html
        assert "&lt;img" in html
        label = re.search(r'role="img"[^>]* aria-label="([^"]*)"', html)[1]
        for name, score in zip(record.players, record.state.scores, strict=True):
            assert f"{escape(name)} {score:,}" in label


def test_the_end_tells_winner_luck_skill_and_turning_points(farkle):
    record, review = farkle
    html = ending(record, review)
    winner = record.players[record.state.winners[0]]
    assert f"{winner} wins with" in html
    for part in (review.luck, review.skill):
        for worth in part.values():
            assert f"{100 * worth:+.1f}".replace("-", "−") in html
    changes = [roll.luck for roll in review.rolls] + [-move.regret for move in review.moves]
    greatest = sorted(changes, key=abs)[-MOST_POINTS:]
    points = html[html.index("The turning points") :]
    points = points[: points.index("</table>")]
    told = re.findall(r"<td>([+−][\d.]+)<", points)
    assert sorted(told) == sorted(f"{100 * change:+.1f}".replace("-", "−") for change in greatest)
    turns = [
        int(turn) for turn in re.findall(r"Turn (\d+): (?:Ana|Bia) (?:throws|chooses)", points)
    ]
    assert len(turns) == MOST_POINTS
    assert turns == sorted(turns)
    tables = re.findall(r"<table.*?</table>", html)
    assert len(tables) == 3
    assert all("<caption>" in table and 'scope="row"' in table for table in tables)


def test_throws_add_up_to_luck(farkle):
    record, review = farkle
    for name in record.players:
        own = sum(roll.luck for roll in review.rolls if roll.player == name)
        assert own == pytest.approx(review.luck[name])
    assert all(1 <= roll.turn <= len(turn_ends(record)) for roll in review.rolls)


def test_without_a_review_the_end_is_there_at_once():
    record = played(Farkle(target=2000))
    html = ending(record)
    assert "wins with" in html
    assert "luck" not in html
    assert "<svg" in html


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "דנה\u2069"), [*"ABCDEF"]])
def test_a_short_game_is_as_wide_as_the_picture_and_names_keep_apart(names):
    record = Record(Farkle(), names)
    assert 'viewBox="0 0 1 10000"' in race_picture(record)
    for event in (Throw(), (1, 1, 1, 5, 2, 3), SetAside((1, 1, 1)), Bank()):
        record.add(event)
    html = race_picture(record)
    assert 'viewBox="0 0 1 10000"' in html
    assert drawn(record, 0) == [0, 1000]
    label = re.search(r'aria-label="([^"]*)"', html)[1]
    assert "<" not in label
    assert label.count("\u2068") == label.count("\u2069") == (names[-1][0] == "ד")
