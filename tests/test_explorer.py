"""The rule explorer: each number by a second way, and what its controls do."""

import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from dicekit.board import measures
from dicekit.board.explorer import RuleExplorer
from dicekit.board.measures import cell_text, chance_of_row, of_play, of_throws
from dicekit.dice import FACES, FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.sheet import Row, Sheet
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.best_turn import best_turn
from dicekit.words import speaking

HEAVY = Die.loaded({6: Fraction(3, 8)})
TINY = Sheet((Row("pair", ("aa",)), Row("chance", worth="all")), in_order=False, throws=2)


def text_of(widget):
    return " ".join(re.sub("<[^>]*>", " ", widget.value).split())


def pick(explorer, name, value):
    explorer.fields[type(explorer.rules)][name].pick(value)


def press(explorer, words):
    *_, ways, _cell = explorer.children[0].children
    next(button for button in ways.children if button.description == words).click()


# The numbers


def test_busts_of_farkle_are_those_published():
    """Among others by Jerry Busser, "The Mathematics of Farkle"."""
    busts = of_throws(Farkle(), FAIR)["bust"]
    published = ["2/3", "4/9", "5/18", "17/108", "25/324", "5/216"]
    assert [str(busts[n]) for n in range(1, 7)] == published


@pytest.mark.parametrize(
    ("game", "n"),
    [(Farkle(alike="doubling"), 4), *((FiveThousand(wins_at_once="five 1s"), n) for n in (1, 5))],
)
def test_throws_by_counting_ordered_throws(game, n):
    bust, best = Fraction(0), Fraction(0)
    for throw in product(FACES, repeat=n):
        chance = Fraction(1)
        for face in throw:
            chance *= HEAVY.chance(face)
        found = [game.score(d, n) or 0 for k in range(1, n + 1) for d in combinations(throw, k)]
        wins = isinstance(game, FiveThousand) and throw == (1,) * 5
        bust += chance * (not wins and max(found) == 0)
        best += chance * (game.target if wins else max(found))
    found = of_throws(game, HEAVY)
    assert (found["bust"][n], found["best"][n]) == (bust, best)


def test_turns_are_those_of_best_turn():
    """Options that have no part in a turn are left out, which must change nothing."""
    for game in (FiveThousand(steal="turn", three_zeros=True), FiveThousand(exact=True)):
        turn, first = best_turn(game), best_turn(game, opened=False)
        means = {"turn": {"": turn.value}, "opening": {"": first.value}}
        assert of_play(game, FAIR) == {**means, "bank": turn.bank_at, "first": first.bank_at}


def test_five_alike_in_three_throws_is_as_published():
    """4.6029 % in any book on Yahtzee."""
    assert chance_of_row(DicePoker().row("poker")) == Fraction(347897, 7558272)


def test_a_row_in_two_throws_by_trying_every_hold():
    die = Die((Fraction(1, 2), 0, 0, Fraction(1, 3), 0, Fraction(1, 6)))
    row = DicePoker().row("full house")

    @cache
    def chances(n):
        found = {}
        for throw in product((1, 4, 6), repeat=n):
            chance = Fraction(1)
            for face in throw:
                chance *= die.chance(face)
            key = tuple(sorted(throw))
            found[key] = found.get(key, 0) + chance
        return found

    def once(held):
        more = chances(5 - len(held)).items()
        dice = ((tuple(sorted((*held, *throw))), chance) for throw, chance in more)
        return sum(chance for throw, chance in dice if row.points(throw) is not None)

    def best(hand):
        return max(once(held) for k in range(6) for held in set(combinations(hand, k)))

    assert chance_of_row(row, die, 1) == once(())
    assert chance_of_row(row, die, 2) == sum(p * best(hand) for hand, p in chances(5).items())


def test_a_sheet_is_worth_what_best_sheet_says():
    rules = DicePoker(first_throw_doubles=False)
    assert of_play(rules, FAIR) == {"sheet": {"": best_sheet(rules).value}}
    with pytest.raises(ValueError, match="fair dice"):
        of_play(rules, HEAVY)


# What is shown


def test_an_option_shows_what_it_changes():
    explorer = RuleExplorer("5000")
    assert "before" not in text_of(explorer.said)
    pick(explorer, "combinations", "any throw")
    before, now = best_turn(FiveThousand()), best_turn(FiveThousand(combinations="any throw"))
    said = text_of(explorer.said)
    assert said.startswith("Three alike count: in any throw (before: in a throw of five dice)")
    change = float(now.value - before.value)
    turn = f"{float(now.value):.1f} points on average in a turn with the best play"
    assert f"{turn} before {float(before.value):.1f}: {change:+.1f}" in said
    table = text_of(explorer.table)
    assert "3 dice 27.8 % = 5/18 before 29.6 %: −1.9" in table
    assert f"{now.bank_at[4]} before {before.bank_at[4]}: +400" in table
    assert explorer.figure.value.count("dk-was") == 2  # three dice and four


def test_a_screen_reader_hears_what_changed():
    explorer = RuleExplorer("5000 for beginners")
    pick(explorer, "keep", "any")
    said = "Dice that score: at least one (before: must all be set aside)"
    assert explorer.voice.said.startswith(said) and "points on average" in explorer.voice.said
    part = RuleExplorer("5000 for beginners", keys=explorer.voice)
    assert part.voice not in part.children[0].children


def test_an_option_without_part_in_a_turn_says_so():
    explorer = RuleExplorer(FiveThousand.beginner())
    explorer.fields[FiveThousand]["three_zeros"].value = True
    assert "None of these numbers changes." in text_of(explorer.said)
    assert explorer.rules == FiveThousand.beginner(three_zeros=True)


def test_weights_load_the_die():
    explorer = RuleExplorer("5000 for beginners")
    explorer.weights[5].value = 3
    assert explorer.die == HEAVY
    said = text_of(explorer.said)
    assert said.startswith("The die: 1/8, 1/8, 1/8, 1/8, 1/8, 3/8 (before: fair)")
    assert f"{float(best_turn(explorer.rules, HEAVY).value):.1f} points" in said
    assert RuleExplorer("5000", die=HEAVY).weights[5].value == 3
    with pytest.raises(ValueError, match="symbols"):
        from sympy import symbols

        RuleExplorer(die=Die.loaded({6: symbols("p")}))


def test_a_die_on_which_one_never_stops_says_why():
    explorer = RuleExplorer("5000")
    explorer.weights[0].value = 99
    assert "beyond" in text_of(explorer.said)
    assert "bank from" not in text_of(explorer.table)


def test_what_cannot_be_changes_nothing():
    explorer = RuleExplorer(DicePoker())
    fields = explorer.fields[DicePoker]
    fields["double_bonus"].value = True
    shown = explorer.table.value, explorer.cell.value
    fields["first_throw_doubles"].value = False
    assert "double_bonus needs first_throw_doubles" in text_of(explorer.said)
    assert shown == (explorer.table.value, explorer.cell.value)
    explorer.use(explorer.rules, Die((0, 0, 0, 0, 0, 1)))
    explorer.weights[5].value = 0
    assert "at least one face needs a weight" in text_of(explorer.said)
    assert [weight.value for weight in explorer.weights] == [0, 0, 0, 0, 0, 1]
    explorer.use(explorer.rules, FAIR)
    assert explorer.rules == DicePoker(double_bonus=True)
    assert fields["first_throw_doubles"].value is True


def test_nothing_is_computed_twice(monkeypatch):
    calls = []

    def counted(*given, **named):
        calls.append(given)
        return best_turn(*given, **named)

    monkeypatch.setattr(measures, "best_turn", counted)
    explorer = RuleExplorer(FiveThousand.beginner(small_straight=650))
    for value in (300, 650, 300, 650):
        pick(explorer, "small_straight", value)
    explorer.fields[FiveThousand]["no_equal_scores"].value = True
    assert len(calls) == 2


def test_a_long_sheet_waits_for_a_button():
    rules = DicePoker(sheet=TINY)
    explorer = RuleExplorer(rules)
    assert explorer.long.layout.display == ""
    assert "points on average" not in text_of(explorer.said)
    explorer._work_out()
    assert (explorer.long.layout.display, explorer.bar.value) == ("none", 1)
    assert f"{best_sheet(rules).value:.1f} points on average" in text_of(explorer.said)


def test_without_numpy_and_matplotlib(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "needs numpy" in text_of(RuleExplorer("Yatzy").said)
    assert "points on average" in text_of(RuleExplorer(FiveThousand(opening=500)).said)


def test_the_usual_rules_come_back():
    explorer = RuleExplorer(FiveThousand(keep="any", table=FiveThousand().table | {"5": None}))
    explorer.weights[0].value = 2
    press(explorer, "Back to the usual rules")
    assert (explorer.rules, explorer.die) == (FiveThousand(), FAIR)
    explorer.game.pick(DicePoker())
    assert explorer.rules == DicePoker() and "(before" not in text_of(explorer.said)


@pytest.mark.parametrize(
    ("rules", "die"),
    [
        (Farkle(opening=500, table=Farkle().table | {"aabbcc": None}), FAIR),
        (FiveThousand.beginner(wins_at_once=None), HEAVY),
        (DicePoker.american(), Die((1, 0, 0, 0, 0, 0))),
        (DicePoker.yatzy(), Die.loaded({1: Fraction(1, 7), 2: 0})),
        (DicePoker(sheet=TINY, poker_bonus=0), FAIR),
    ],
)
def test_the_cell_makes_the_same_rules_and_die(rules, die):
    *lines, board = cell_text(rules, die).splitlines()
    assert board == 'Board(game, players=("A", "B"))'
    names = {}
    exec("\n".join(line for line in lines if not line.startswith("print")), names)
    assert (names["game"], names.get("die", FAIR)) == (rules, die)


def test_play_makes_a_board(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = []
    explorer = RuleExplorer("5000", make_board=made.append)
    press(explorer, "Play with these rules")
    assert made == [FiveThousand()]
    alone = RuleExplorer("5000")
    for keep in ("all", "any"):
        pick(alone, "keep", keep)
        press(alone, "Play with these rules")
        (board,) = alone.children[1:]
        assert board.setup.rules == FiveThousand(keep=keep)


def test_it_speaks_the_language_it_was_made_in():
    with speaking("fr"):
        explorer = RuleExplorer("5000")
    pick(explorer, "combinations", "any throw")
    assert "27,8 %" in text_of(explorer.table)
