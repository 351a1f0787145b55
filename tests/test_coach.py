"""The coach: its numbers against brute force over the states, luck and skill, what it says."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from dicekit.coach import Coach
from dicekit.dice import Die, weights
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.scoring import Table
from dicekit.games.sheet import SCHOOL, Row, Sheet
from dicekit.games.states import CHANCE, Bank, Decline, Hold, SetAside, Throw, Write
from dicekit.players import BanksAt, BestTurns, HoldsAlike, Perfect
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.race import best_race

MOST = 800  # points from which the brute force banks
FEW = Table({"1": 100, "5": 50})
FARKLE = Farkle(target=150, table=FEW)
DRAWN = FiveThousand(target=950, first="highest throw")
FIVES = FiveThousand(target=250, opening=150, minimum=100, keep="any")


@cache
def offers_of(rules, points, dice, guess):
    """What a throw can offer, by its chance: pairs of points and dice, "bust" or "win"."""
    state = replace(rules.start("A"), opened=(True,), points=points, dice=dice, stage="choose")
    rolling, found = state.child(Throw(guess)), defaultdict(float)
    throws, total = weights(dice)[:2]
    for throw, weight in throws.items():
        thrown = rolling.child(throw)
        if thrown.stage == "thrown":
            after = [thrown.child(action) for action in thrown.legal_actions()]
            offers = frozenset((x.points, x.dice) for x in after)
        else:
            offers = "win" if thrown.is_terminal else "bust"
        found[offers] += weight / total
    return [(chance, offers) for offers, chance in found.items()]


class OneTurn:
    """A turn by what its ends are worth: `bank(points, dice)`, None where it is not allowed."""

    def __init__(self, rules, bank, bust, win, room=10**9, most=MOST):
        # landing on a target is for the ends to judge: here no throw passes it
        self.rules = replace(rules, exact=False) if room < 10**9 else rules
        self.bank, self.bust, self.win = bank, bust, win
        self.room, self.most = room, most
        self.worth = cache(self._worth)

    def _worth(self, points, dice):
        if points > self.room:
            return self.bust
        banked = self.bank(points, dice) if points else None
        if banked is not None and (points >= self.most or banked == 1.0):
            return banked
        announced = range(2, 13) if dice == 2 and getattr(self.rules, "prediction", None) else ()
        thrown = max(self.thrown(points, dice, guess) for guess in (None, *announced))
        return thrown if banked is None else max(banked, thrown)

    def thrown(self, points, dice, guess):
        ends = {"win": self.win, "bust": self.bust}
        plus = 0 if guess else points  # only what is doubled depends on the points before
        total = 0.0
        for chance, offers in offers_of(self.rules, points - plus, dice, guess):
            worth = ends.get(offers)
            if worth is None:
                worth = max(self.worth(p + plus, left) for p, left in offers)
            total += chance * worth
        return total

    def values(self, state):
        found = {}
        for action in state.legal_actions():
            if isinstance(action, Bank):
                found[action] = self.bank(state.points, state.dice) or 0.0
            elif isinstance(action, Throw):
                found[action] = self.thrown(state.points, state.dice, action.predict)
            else:
                after = state.child(action)
                stays = after.points > 0
                found[action] = self.worth(after.points, after.dice) if stays else self.bust
        return found


class WholeGame:
    """A game of two, solved by going through all pairs of scores until nothing changes."""

    def __init__(self, rules):
        self.rules, self.start = rules, rules.start("A", "B")
        self.passes = cache(self._passes)
        scores = range(0, rules.target, 50)
        self.chance = dict.fromkeys(product(scores, scores), 0.5)
        for a, b in sorted(self.chance, key=sum, reverse=True):
            off = 1.0
            while off > 1e-7:
                off = self.settle(a, b) + self.settle(b, a)
        self.turn = cache(self.turn)
        self.chase = cache(self.chase)

    def settle(self, a, b):
        before, self.chance[a, b] = self.chance[a, b], self.turn(a, b).worth(0, self.start.dice)
        return abs(self.chance[a, b] - before)

    def state(self, a, b, **more):
        return replace(self.start, scores=(a, b), opened=(a > 0, b > 0), **more)

    def turn(self, a, b):
        def bank(points, dice):
            state = self.state(a, b, points=points, dice=dice)
            return self.after(state.child(Bank())) if state.can_bank else None

        room = self.rules.target - a if getattr(self.rules, "exact", False) else 10**9
        return OneTurn(self.rules, cache(bank), 1 - self.chance[b, a], 1.0, room)

    def after(self, state):
        """What a bank of the first player has made it worth."""
        a, b = state.scores
        if state.is_terminal:
            return state.returns[0]
        return 1 - (self.passes(a - b) if a >= self.rules.target else self.chance[b, a])

    def _passes(self, gap):
        return self.chase(gap).worth(0, self.start.dice)

    def chase(self, gap):
        return OneTurn(self.rules, lambda points, dice: 1.0 if points > gap else None, 0.0, 1.0)

    def values(self, state):
        mine, theirs = state.scores[state.player], state.scores[1 - state.player]
        if getattr(state, "opener", None) is not None:
            return self.chase(theirs - mine).values(state)
        return self.turn(mine, theirs).values(state)


def positions(rules, many, players=2, seed=1):
    """Random states in which a player acts, from games of random moves."""
    rng, found = Random(seed), []
    while len(found) < many:
        state = rules.start(*"ABC"[:players])
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state = state.child(tuple(rng.choices(range(1, 7), k=state.dice)))
            else:
                found.append(state)
                state = state.child(rng.choice(state.legal_actions()))
    return rng.sample(found, many)


BRUTE = [
    FARKLE,
    replace(FARKLE, last_round=False, opening=100),
    FIVES,
    replace(FIVES, exact=True, prediction="turn"),
]


@pytest.mark.parametrize("rules", BRUTE, ids=repr)
def test_the_chances_are_those_of_brute_force_over_all_states(rules):
    coach, game = Coach(rules, solve=True), WholeGame(rules)
    for state in positions(rules, 200):
        advice, wanted = coach.advice(state), game.values(state)
        assert {row.action: row.chance for row in advice.rows} == pytest.approx(wanted, abs=2e-6)
        assert advice.unit == "chance"
        best = max(wanted.values())
        assert wanted[advice.best] == pytest.approx(best, abs=2e-6)
        for action, chance in wanted.items():
            assert advice.regret(action) == pytest.approx(best - chance, abs=2e-6)


@pytest.mark.parametrize(
    "rules",
    [*BRUTE, replace(FIVES, no_repeat=True)],
    ids=repr,
)
def test_the_points_are_the_mean_of_the_turn_by_brute_force(rules):
    coach = Coach(rules)

    @cache
    def turn(begun, who):
        def bank(points, dice):
            return points if replace(begun, points=points, dice=dice).can_bank else None

        room = rules.target - begun.scores[who] if getattr(rules, "exact", False) else 10**9
        return OneTurn(rules, cache(bank), 0.0, rules.target, room, most=3500)

    for state in positions(rules, 60, players=3):
        who, alone = state.player, getattr(state, "last_turns", ())
        score = state.scores[who] if getattr(rules, "exact", False) else 0
        begun = replace(rules.start("A"), scores=(score,), opened=(state.opened[who],))
        if alone:
            begun = replace(begun, last_turns=(alone[who],))
        advice = coach.advice(state)
        wanted = turn(begun, 0).values(state)
        assert {row.action: row.points for row in advice.rows} == pytest.approx(wanted, abs=1e-3)
        assert advice.unit == "points" and {row.chance for row in advice.rows} == {None}


OPTIONS = [
    (3, replace(FIVES, target=500)),
    (3, replace(FIVES, target=500, steal="turn", three_zeros=True)),
    (2, replace(FIVES, target=500, steal="first throw", no_equal_scores=True)),
    (2, replace(FIVES, target=500, opening=0, no_repeat=True, first="highest throw")),
    (3, replace(FARKLE, farkle_penalty=100)),
]


class Estimate:
    """Chances as stated: this turn by the rules, then two by two as if without the options."""

    def __init__(self, rules):
        off = ("three_zeros", "no_repeat", "no_equal_scores", "steal", "farkle_penalty")
        plain = replace(rules, **{name: 0 == 1 for name in off[:-1] if hasattr(rules, name)})
        if hasattr(rules, "farkle_penalty"):
            plain = replace(plain, farkle_penalty=0)
        self.race = best_race(plain)
        self.turn = cache(self._turn)

    def standing(self, state, me):
        many = len(state.players)
        if state.is_terminal:
            return float(me in state.winners)
        if state.stage == "offered":
            return self.standing(state.child(Decline()), me)
        if getattr(state, "opener", None) is not None:
            chance, who = float(me == state.leader), state.player
            while who != state.opener:
                passes = self.race.passes(state.scores[state.leader] - state.scores[who])
                chance = passes if who == me else chance * (1 - passes)
                who = (who + 1) % many
            return chance
        order = [(state.player + k) % many for k in range(many)]
        return self.alone(state, order, me) / sum(self.alone(state, order, k) for k in order)

    def alone(self, state, order, me):
        chance = 1.0
        for other in order:
            mine, theirs = (max(0, state.scores[who]) for who in (me, other))
            if other != me and order.index(me) < order.index(other):
                chance *= self.race.chance(mine, theirs)
            elif other != me:
                chance *= 1 - self.race.chance(theirs, mine)
        return chance

    def _turn(self, begun):
        me = begun.player

        def bank(points, dice):
            state = replace(begun, points=points, dice=dice)
            return self.standing(state.child(Bank()), me) if state.can_bank else None

        lost = replace(begun, stage="rolling", dice=1).child((2,))
        return OneTurn(begun.rules, cache(bank), self.standing(lost, me), 1.0, most=2000)

    def values(self, state):
        if state.stage == "offered":
            return {
                action: max(self.values(state.child(action)).values())
                for action in state.legal_actions()
            }
        if getattr(state, "contenders", ()):
            return {Throw(): 0.5} if not state.shown else self.replies(state)
        if getattr(state, "taking", False):
            return {action: self.thrown(state.child(action)) for action in state.legal_actions()}
        more = {"guess": None, "right": False} if hasattr(state, "guess") else {}
        begun = replace(state, stage="choose", points=0, throw=(), dice=0, **more)
        return self.turn(begun).values(state)

    def replies(self, state):
        """The second of two who throw for who begins."""
        first, second = self.race.first, 1 - self.race.first
        face = state.shown[0]
        chance = (6 - face) * first + (face - 1) * second + 0.5
        return {Throw(): chance / 6}

    def thrown(self, rolling):
        throws, total = weights(rolling.dice)[:2]
        found = 0.0
        for throw, weight in throws.items():
            after = rolling.child(throw)
            if after.stage == "thrown":
                worth = max(self.values(after).values())
            else:
                worth = self.standing(after, rolling.player)
            found += weight * worth
        return found / total


@pytest.mark.parametrize(("players", "rules"), OPTIONS, ids=repr)
def test_estimated_chances_are_what_they_are_said_to_be(players, rules):
    coach, estimate = Coach(rules, solve=True), Estimate(rules)
    assert "estimated" in coach.about
    for state in positions(rules, 40, players):
        wanted = estimate.values(state)
        found = {row.action: row.chance for row in coach.advice(state).rows}
        assert found == pytest.approx(wanted, abs=5e-6)
        if state.turn_begins and state.stage != "offered":
            assert sum(Perfect().standings(state)) == pytest.approx(1)


# Score sheets

SHEET = Sheet(
    (
        Row("6", face=6, less=1, part=SCHOOL, doubles=False),
        Row("pair", ("aa",)),
        Row("chance", worth="all", doubles=False),
    ),
    in_order=False,
    throws=2,
)


def blank(sheet):
    """With 0 where something is written: with one row the school is never half full."""
    return tuple(None if value is None else 0 for value in sheet)


class BruteSheet:
    """The points still to come, hand by hand; with `rounds` 1 only those of this round."""

    def __init__(self, rules, whole=True):
        self.rules, self.whole = rules, whole
        self.best, self.thrown = cache(self._best), cache(self._thrown)

    def values(self, state):
        me, found = state.player, {}
        for action in state.legal_actions():
            if isinstance(action, Write):
                after = state.child(action)
                gained = after.scores[me] - state.scores[me]
                found[action] = gained + self.later(after.sheets[me])
            else:
                held = action.dice if isinstance(action, Hold) else ()
                found[action] = self.thrown(blank(state.sheets[me]), held, state.throws_left)
        return found

    def later(self, sheet):
        over = not self.whole or None not in sheet
        return 0.0 if over else self.thrown(blank(sheet), (), self.rules.sheet.throws)

    def _thrown(self, sheet, held, left):
        throws, total = weights(5 - len(held))[:2]
        hands = ((tuple(sorted(held + throw)), weight) for throw, weight in throws.items())
        return sum(weight * self.best(sheet, hand, left - 1) for hand, weight in hands) / total

    def _best(self, sheet, hand, left):
        played = sum(value is not None for value in sheet)
        score = (self.rules.total(sheet),)
        state = replace(self.rules.start("A"), sheets=(sheet,), throws_left=left, scores=score)
        return max(self.values(replace(state, throw=hand, stage="thrown", round=played)).values())


def test_a_sheet_s_points_are_those_of_brute_force():
    rules = DicePoker(sheet=SHEET)
    coach, brute = Coach(rules), BruteSheet(rules)
    for state in positions(rules, 200):
        advice, wanted = coach.advice(state), brute.values(state)
        own = state.scores[state.player]
        found = {row.action: row.points - own for row in advice.rows}
        assert found == pytest.approx(wanted, abs=1e-9)
        assert advice.unit == "points" and advice.rows[0].chance is None
        assert wanted[advice.best] == pytest.approx(max(wanted.values()))


def test_the_best_round_is_that_of_brute_force():
    rules = DicePoker(sheet=SHEET, bonus_from=6)
    brute = BruteSheet(rules, whole=False)
    for state in positions(rules, 100):
        if state.stage == "thrown":
            found = BestTurns().values(state)
            assert found == pytest.approx(brute.values(state), abs=1e-9)


# Luck and skill


def played(rules, players, seed, moves=10**9):
    """A game of these players, or its beginning."""
    record = Record(rules, list("ABCDEF"[: len(players)]), seed=seed)
    while not record.state.is_terminal and len(record.events) < moves:
        if record.state.current_player == CHANCE:
            record.roll()
        else:
            record.add(players[record.state.player](record.state))
    return record


GAMES = [
    Farkle(),
    FiveThousand.beginner(target=500, first="highest throw", keep="any"),
    FiveThousand.beginner(target=500, exact=True, prediction="total"),
]


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@pytest.mark.parametrize("moves", [10**9, 7, 20])
def test_for_two_luck_and_skill_lead_from_the_start_to_the_result(rules, moves):
    record = played(rules, [BanksAt(500), BestTurns()], 4, moves)
    review = Coach(rules, solve=True).review(record)
    luck, skill = review.luck, review.skill
    drawn = getattr(rules, "first", "order") != "order"
    assert review.start["A"] == pytest.approx(0.5 if drawn else best_race(rules).first)
    made = review.start["A"] + luck["A"] + skill["A"] - luck["B"] - skill["B"]
    assert made == pytest.approx(review.now["A"], abs=1e-5)
    assert review.now["A"] + review.now["B"] == pytest.approx(1)
    if record.state.is_terminal:
        assert review.now["A"] == (record.state.winners == (0,))


@pytest.mark.parametrize("moves", [10**9, 100, 101])
def test_on_a_sheet_luck_and_skill_lead_to_the_total(moves):
    rules = DicePoker(dashes="at the end")
    record = played(rules, [HoldsAlike(), Perfect(), HoldsAlike()], 4, moves)
    review = Coach(rules).review(record)
    for name, start in review.start.items():
        assert start == pytest.approx(Coach(rules).advice(record.states[0]).rows[0].points)
        made = start + review.luck[name] + review.skill[name]
        assert made == pytest.approx(review.now[name], abs=1e-6)
    if record.state.is_terminal:
        assert list(review.now.values()) == list(record.state.scores)
    assert review.skill["B"] == pytest.approx(0)


@pytest.mark.parametrize("rules", [Farkle(), Farkle(farkle_penalty=500)])
def test_luck_is_nothing_on_average(rules):
    """Of all throws that can come in a state."""
    coach = Coach(rules, solve=True)
    start = rules.start("A", "B")
    throws, total = weights(6)[:2]
    found = 0.0
    for throw, weight in throws.items():
        record = Record(rules, ["A", "B"], seed=1)
        record.add(Throw())
        record.add(throw)
        found += weight / total * coach.review(record).luck["A"]
    assert start.turn_begins and found == pytest.approx(0, abs=1e-9)


def test_the_costliest_mistakes_are_those_of_persons():
    rules = Farkle(target=500)
    record = played(rules, [BanksAt(50), BanksAt(1000)], 6)
    coach = Coach(rules, solve=True)
    review = coach.review(record)
    choices = [
        (state, event)
        for state, event, _ in record.steps()
        if state.current_player != CHANCE and len(state.legal_actions()) > 1
    ]
    assert [(move.state, move.action) for move in review.moves] == choices
    for move in review.moves:
        advice = coach.advice(move.state)
        assert move.regret == pytest.approx(advice.regret(move.action), abs=1e-9)
        assert move.player == record.players[move.state.player]
        assert coach.advice(move.state).regret(move.best) == pytest.approx(0, abs=1e-9)
    costs = [move.regret for move in review.mistakes]
    assert costs == sorted((move.regret for move in review.moves), reverse=True)[:3]
    assert -sum(review.skill.values()) == pytest.approx(sum(m.regret for m in review.moves))
    record.notes["computers"] = {"A": "banks at 50"}
    assert {move.player for move in coach.review(record).mistakes} == {"B"}
    turns = [move.turn for move in review.moves if move.player == "A"]
    assert turns == sorted(turns) and turns[0] == 1


@pytest.mark.parametrize(
    ("players", "computers", "words"),
    [
        ("best best", "", "No mistake: every move was the best."),
        ("poor poor", "", "The costliest mistakes"),
        ("best poor", "B", "No mistake of a person."),
        ("poor poor", "AB", "Luck and skill"),
        ("best best", "AB", "Luck and skill"),
    ],
)
def test_no_mistake_is_said_of_persons(players, computers, words):
    kinds = {"best": Perfect(), "poor": BanksAt(50)}
    record = played(Farkle(target=2000), [kinds[word] for word in players.split()], 6, 40)
    record.notes["computers"] = dict.fromkeys(computers, "banks at 50")
    review = Coach(Farkle(target=2000)).review(record)
    assert repr(review).startswith(words) and f">{words}<" in review._repr_html_()
    assert words == "Luck and skill" or set(review.people) == {*"AB"} - {*computers}


def test_alone_only_the_points_of_the_turn_count():
    review = Coach(Farkle()).review(Record(Farkle(), ["solo"], seed=1))
    assert review.unit == "points" and review.about.startswith("Only the mean points")


def test_what_was_undone_does_not_count():
    record = Record(Farkle(), ["A", "B"], seed=1)
    record.add(Throw())
    record.roll()
    record.add(SetAside((5,)))
    worse = Coach(Farkle()).review(record)
    record.undo()
    record.add(SetAside((5, 5)))
    review = Coach(Farkle()).review(record)
    assert [move.action for move in review.moves] == [SetAside((5, 5))]
    assert [move.action for move in worse.moves] == [SetAside((5,))]
    assert review.skill["A"] < worse.skill["A"] == 0


def test_nobody_yet_had_a_choice():
    review = Coach(Farkle()).review(Record(Farkle(), ["A", "B"], seed=1))
    assert review.moves == review.mistakes == () and set(review.luck.values()) == {0.0}
    assert review.start == review.now


# What it says


def test_of_many_moves_the_best_six_are_shown_and_the_one_made():
    state = DicePoker().start("A").child(Throw()).child((6, 6, 6, 2, 1))
    advice = Coach(DicePoker()).advice(state, made=Write("1"))
    lines = repr(advice).splitlines()
    assert lines[2].split()[:2] == ["hold", "6-6-6"]
    assert lines[8].startswith("write 1 (made)") and "other moves cost" in lines[9]
    assert all(line.split()[-1] for line in lines[3:9])


def test_costs_are_chances_in_per_cent():
    state = Farkle().start("A", "B").child(Throw()).child((1, 1, 5, 2, 3, 4))
    text = repr(Coach(Farkle()).advice(state))
    assert "chance to win" in text and " %" in text
    assert "The most points on average" not in text


def test_names_are_escaped():
    names = ["<b>A", "B&B"]
    record = Record(Farkle(target=500), names, seed=1)
    while not record.state.is_terminal:
        state = record.state
        record.roll() if state.current_player == CHANCE else record.add(BanksAt(50)(state))
    shown = Coach(Farkle(target=500), solve=True).review(record)._repr_html_()
    assert "<b>" not in shown and "&lt;b&gt;A" in shown and "B&amp;B" in shown


def test_names_are_no_formulas():
    record = Record(Farkle(), ["$x$", r"\(y\)"], seed=1)
    shown = Coach(Farkle()).review(record)._repr_html_()
    assert "<span>$</span>x<span>$</span>" in shown and r"<span>\</span>(y" in shown
    assert "$x$" in repr(Coach(Farkle()).review(record))
    rules = DicePoker(sheet=replace(SHEET, rows=(Row("$x$", face=6), *SHEET.rows[1:])))
    state = rules.start("A").child(Throw()).child((6, 6, 1, 2, 3))
    assert "$x$" not in Coach(rules).advice(state)._repr_html_()


def test_progress_is_told():
    told = []
    Coach(Farkle()).review(played(Farkle(), [BanksAt(300)] * 2, 1, 12), progress=told.append)
    assert told == sorted(told) and told[-1] == 1 and len(told) == 12
    told.clear()
    for _ in range(2):
        best_sheet(DicePoker(sheet=SHEET, poker_bonus=7), progress=told.append)
    assert told == sorted(set(told)) and 0 < told[0] < told[-1] == 1, "once"


def test_without_numpy_a_sheet_that_takes_minutes_has_no_coach(monkeypatch):
    monkeypatch.setattr("dicekit.players.find_spec", lambda name: None)
    assert Coach(DicePoker()).about
    with pytest.raises(ValueError, match="without numpy"):
        Coach(DicePoker.yatzy())


def test_it_says_what_its_numbers_are():
    assert "exact" in Coach(Farkle()).about
    assert "Fine for three farkles" in Coach(Farkle(farkle_penalty=500)).about
    assert "no chances" in Coach(Farkle(target=950)).about
    assert "final total" in Coach(DicePoker()).about


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (lambda: Coach("Farkle"), "no game"),
        (lambda: Coach(DicePoker(), Die.loaded({6: 0.5})), "no answer"),
        (lambda: Coach(Farkle(), 6), "Die"),
        (lambda: Coach(Farkle()).advice(Farkle(target=500).start("A")), "another game"),
        (lambda: Coach(Farkle()).advice(Farkle().start("A", "B").child(Throw())), "no player acts"),
        (lambda: Coach(Farkle()).advice(Farkle().start("A", "B")).regret(Bank()), "bank"),
        (lambda: Coach(Farkle()).review(Record(DicePoker(), ["A"])), "another game"),
        (lambda: Coach(Farkle()).advice(Record(Farkle(), ["A"])), "looks at a state"),
        (lambda: Coach(Farkle()).advice(None), "looks at a state"),
        (lambda: Coach(Farkle()).review(Farkle().start("A")), "looks at a record"),
        (lambda: Coach(Farkle()).review(None), "looks at a record"),
        (lambda: Coach(Farkle()).review(Record), "another game"),
        (lambda: Coach(Farkle()).advice(Farkle().start("A"), made=Bank()), "not possible"),
        (lambda: Coach(DRAWN).advice(DRAWN.start("A", "B")), "luck"),
    ],
)
def test_bad_input_is_refused_in_words(what, words):
    with pytest.raises(ValueError, match=words):
        what()
