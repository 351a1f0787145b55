"""The best play of a score sheet: against brute force through the states of the game, against its
own optimality equation, against published values, and played."""

import random
from collections import Counter
from statistics import fmean, stdev

import pytest

from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.sheet import CHANCE_ROW, SCHOOL, Row, Sheet
from dicekit.games.states import CHANCE, Hold, Throw, Write
from dicekit.probability import Distribution
from dicekit.simulation import simulate
from dicekit.solve import best_sheet as module
from dicekit.solve.best_sheet import best_sheet

SIX = Row("6", face=6, less=3, doubles=False, part=SCHOOL)
ONE = Row("1", face=1, doubles=False, part=SCHOOL)
PAIR, POKER = Row("pair", ("aa",)), Row("poker", ("aaaaa",), bonus=True)
STRAIGHT = Row("straight", ("12345", "23456"), worth=30)
FREE = {"first_throw_doubles": False, "bonus_from": 3, "school_bonus": 20}


def tiny(*rows, throws=1, in_order=True, **options):
    return DicePoker(sheet=Sheet(rows, in_order, throws), **options)


TINY = {
    "one row": tiny(PAIR, throws=2),
    "two throws": tiny(SIX, PAIR, throws=2),
    "two throws, fallback": tiny(STRAIGHT, CHANCE_ROW, throws=2, chance="fallback"),
    "one throw": tiny(SIX, PAIR, POKER),
    "in order": tiny(SIX, PAIR),
    "part two first": tiny(POKER, SIX),
    "doubled bonus": tiny(POKER, STRAIGHT, double_bonus=True),
    "any order": tiny(ONE, PAIR, in_order=False, **FREE),
    "two in the school": tiny(ONE, SIX, in_order=False, **FREE | {"bonus_from": 0}),
    "no hope": tiny(ONE, STRAIGHT, in_order=False, **FREE | {"bonus_from": 9}),
    "no school": tiny(PAIR, STRAIGHT),
    "school doubles": tiny(Row("6", face=6, less=2, part=SCHOOL), PAIR, bonus_from=7),
    "school with a combination": tiny(Row("pair", ("aa",), part=SCHOOL), ONE, bonus_from=9),
    "fallback": tiny(STRAIGHT, CHANCE_ROW, chance="fallback"),
    "fallback alone": tiny(CHANCE_ROW, throws=2, chance="fallback"),
    "fallback, any order": tiny(ONE, POKER, CHANCE_ROW, in_order=False, chance="fallback"),
    "at the end": tiny(STRAIGHT, POKER, dashes="at the end"),
    "at the end, school": tiny(SIX, STRAIGHT, POKER, dashes="at the end"),
    "at the end, any order": tiny(ONE, STRAIGHT, in_order=False, dashes="at the end", **FREE),
    "both": tiny(STRAIGHT, PAIR, CHANCE_ROW, chance="fallback", dashes="at the end"),
}


def whole_part(number, parts):
    assert number % parts == 0
    return number // parts


class BruteForce:
    """The mean of the final score, and the distribution of the final sheet, by the states alone:
    whole numbers, times the number of all ways in which the dice can fall."""

    def __init__(self, game):
        self.known = {}
        self.ways = 6 ** (5 * game.sheet.throws * len(game.sheet.rows))

    def value(self, state):
        return self.known_of("value", state)

    def sheets(self, state):
        return self.known_of("sheets", state)

    def known_of(self, what, state):
        key = (what, state.sheets, state.round, state.throws_left, state.throw, state.held)
        key = (*key, state.stage)
        if key not in self.known:
            self.known[key] = getattr(self, f"{what}_of")(state)
        return self.known[key]

    def value_of(self, state):
        if state.is_terminal:
            return state.scores[0] * self.ways
        if state.current_player == CHANCE:
            weights, whole, _ = state.chance_outcomes().parts
            values = ((weight, self.value(state._thrown(x))) for x, weight in weights.items())
            return whole_part(sum(weight * value for weight, value in values), whole)
        return max(self.value(state._act(action)) for action in state.legal_actions())

    def sheets_of(self, state):
        if state.is_terminal:
            return {state.sheets[0]: self.ways}
        if state.current_player == CHANCE:
            weights, whole, _ = state.chance_outcomes().parts
            found = Counter()
            for throw, weight in weights.items():
                for sheet, chance in self.sheets(state._thrown(throw)).items():
                    found[sheet] += chance * weight
            return {sheet: whole_part(chance, whole) for sheet, chance in found.items()}
        children = [state._act(action) for action in state.legal_actions()]
        return self.sheets(max(children, key=self.value))


def play_at_random(game, seed, players=("Ana", "Bo")):
    """The states of a game in which a player acts, and acts at random, but not too badly."""
    chance = random.Random(seed)
    state = game.start(*players)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state = state.child(chance.choices(range(1, 7), k=state.dice))
        else:
            yield state
            state = state.child(chance.choice(state.legal_actions()))


def total(state, player):
    return state.rules.total(state.sheets[player])


def one_step(best, state, action):
    """The value of an action by the values one step later."""
    child = state.child(action)
    if child.current_player == CHANCE:
        outcomes = child.chance_outcomes().parts
        parts = (max(best.values(child.child(x)).values()) * w for x, w in outcomes.weights.items())
        return sum(parts) / outcomes.total
    if child.is_terminal:
        return total(child, 0) - total(state, 0)
    return best.values(child)[Throw()] + total(child, 0) - total(state, 0)


LONG = {"two throws", "two throws, fallback", "fallback, any order", "both", "at the end, school"}


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=pytest.mark.slow) if x in LONG else x for x in TINY]
)
def test_brute_force(name):
    game, brute = TINY[name], BruteForce(TINY[name])
    exact, floats = best_sheet(game, exact=True), best_sheet(game)
    start = game.start("Ana")
    assert exact.value * brute.ways == brute.value(start)
    assert floats.value == pytest.approx(float(exact.value), abs=1e-10)
    for seed in range(4):
        for state in play_at_random(game, seed, ("Ana",)):
            values = exact.values(state)
            assert tuple(values) == state.legal_actions()
            for action, value in values.items():
                whole = brute.value(state.child(action))
                assert (value + total(state, 0)) * brute.ways == whole
            assert exact.action(state) == max(values, key=values.get)
            assert floats.values(state) == pytest.approx({a: float(v) for a, v in values.items()})
    scores, rows, bonus = Counter(), Counter(), 0
    for sheet, ways in brute.sheets(start).items():
        scores[game.total(sheet)] += ways
        rows.update({row.name: n * ways for row, n in zip(game.sheet.rows, sheet, strict=True)})
        bonus += ways * (game.subtotal(sheet) >= game.bonus_from)
    assert exact.distribution() == Distribution(scores)
    assert {row: mean * brute.ways for row, mean in exact.rows.items()} == rows
    assert exact.bonus * brute.ways == bonus


def test_dice_poker():
    exact, floats = best_sheet(exact=True), best_sheet()
    assert floats.value == pytest.approx(float(exact.value), abs=1e-10)
    assert round(float(exact.value), 8) == 164.91097133
    check_final(floats)
    assert float(floats.bonus) == pytest.approx(0.369998792, abs=1e-9)
    assert float(floats.rows["poker"]) == pytest.approx(11.096, abs=5e-4)


def test_what_is_shipped_is_what_is_solved(monkeypatch):
    shipped, at = best_sheet(), best_sheet()._at
    monkeypatch.setattr(module, "fill_worth", lambda game, worth: False)
    solved = module.BestSheet(DicePoker(), False)
    assert solved.value == shipped.value
    standings = [(i, j) for seconds, schools in at.blocks() for i in seconds for j in schools]
    for i, j in standings:
        assert shipped._rounds.worth[i][j] == solved._rounds.worth[i][j]
    assert len(standings) > 2000


@pytest.mark.slow
def test_exact_distribution():
    check_final(best_sheet(exact=True))


def check_final(best):
    final, value = best.distribution(), pytest.approx(float(best.value), abs=1e-10)
    assert final.E() == sum(best.rows.values()) + best.game.school_bonus * best.bonus
    assert float(final.E()) == value
    assert not best.exact or final.E() == best.value
    assert sum(chance for _, chance in final.items()) == 1


def test_american_sheet():
    assert round(best_sheet(DicePoker.american()).value, 7) == 245.8707745


@pytest.mark.slow
def test_yatzy():
    best = best_sheet(DicePoker.yatzy())
    assert round(best.value, 10) == 248.4399893779
    check_equation(best, seed=1)


def check_equation(best, seed, share=0.2):
    chosen = random.Random(seed)
    for state in play_at_random(best.game, seed, ("Ana",)):
        values = best.values(state)
        assert tuple(values) == state.legal_actions()
        for action, value in values.items():
            if chosen.random() < share:
                assert float(value) == pytest.approx(float(one_step(best, state, action)), abs=1e-9)


VARIANTS = {
    "seed": {},
    "fallback": {"chance": "fallback"},
    "at the end": {"dashes": "at the end"},
    "both": {"chance": "fallback", "dashes": "at the end", "double_bonus": True},
    "plain": {"first_throw_doubles": False, "poker_bonus": 0, "school_bonus": 35},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_optimality_equation(name):
    best = best_sheet(DicePoker(**VARIANTS[name]))
    for seed in range(2):
        check_equation(best, seed, share=0.1)


def test_exact_equation():
    best = best_sheet(exact=True)
    for number, state in enumerate(play_at_random(best.game, 5, ("Ana",))):
        if number % 9 == 0:
            action = best.action(state)
            assert best.values(state)[action] == one_step(best, state, action)


def test_nobody_else_matters():
    best = best_sheet()
    for state in play_at_random(best.game, 3):
        alone = best.game.start("Ana")
        sheet = (state.sheets[state.player],)
        fields = ("stage", "throw", "held", "throws_left", "round")
        vars(alone).update({name: getattr(state, name) for name in fields}, sheets=sheet)
        assert best.values(alone) == best.values(state)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_played(name):
    best = best_sheet(DicePoker(**VARIANTS[name]))
    scores = simulate(best.game, [best], games=400, seed=7).scores[:, 0].tolist()
    error = stdev(scores) / len(scores) ** 0.5
    assert abs(fmean(scores) - best.value) < 4 * error


def test_without_numpy(monkeypatch):
    game = DicePoker(poker_bonus=49)
    with_numpy = best_sheet(game)
    module._SOLVED.clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    alone = best_sheet(game)
    module._SOLVED.clear()
    assert alone is not with_numpy
    assert alone.value == pytest.approx(with_numpy.value, abs=1e-10)
    state = game.start("Ana").child(Throw()).child((6, 6, 2, 3, 1))
    assert alone.values(state) == pytest.approx(with_numpy.values(state))


def test_first_actions():
    best = best_sheet()
    state = best.game.start("Ana")
    assert best.action(state) == Throw()
    assert best.values(state) == {Throw(): best.value}
    state = state.child(Throw()).child((6, 6, 6, 6, 6))
    assert best(state) == Write("6")
    assert best.action(state.child(Hold((6, 6, 6))).child((1, 2))) == Hold((6, 6, 6))


@pytest.mark.parametrize("game", [Farkle(), DicePoker, "yatzy", 3])
def test_no_sheet(game):
    with pytest.raises(ValueError, match="score sheet"):
        best_sheet(game)


def test_no_state_of_this_game():
    best = best_sheet()
    start = best.game.start("Ana")
    with pytest.raises(ValueError, match="no player acts"):
        best.values(start.child(Throw()))
    for other in (DicePoker.yatzy().start("Ana"), Farkle().start("Ana"), None):
        with pytest.raises(ValueError, match="another game"):
            best.action(other)


def test_a_game_that_could_stop():
    row = Row("pair", ("aa",), part=SCHOOL)
    with pytest.raises(ValueError, match="dashes must be 'at once'"):
        best_sheet(tiny(row, ONE, dashes="at the end"))
