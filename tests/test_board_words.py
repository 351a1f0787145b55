"""What the board says: in plain words, in every language, of any name and any number."""

import random
import re
from dataclasses import replace
from gettext import NullTranslations
from html import unescape
from types import SimpleNamespace

import pytest

from dicekit import words
from dicekit.board import given, pictures
from dicekit.board.given import named, whole_of
from dicekit.board.play import Control, isolated
from dicekit.board.setup import COMPUTERS, Setup
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, Bank, SetAside, Throw, Write
from dicekit.players import BanksAt

MANY_RULES = FiveThousand.beginner(
    target=2000,
    exact=True,
    keep="any",
    steal="turn",
    prediction="turn",
    three_zeros=True,
    no_equal_scores=True,
    first="highest throw",
)


def play_of(rules, *events, players=("Ana", "Bia"), chosen=(), **more):
    record = Record(rules, players, seed=1)
    for event in events:
        record.add(event)
    return given.play_of(record, frozenset(chosen), **more)


# A position in words


def test_farkle_in_words():
    play = play_of(Farkle(), Throw(), (1, 5, 2, 3, 3, 4), chosen=(0,))
    assert play.describe() == (
        "Farkle · first to 10,000.\n"
        "Ana, throw 1 of the turn.\n"
        "Scores: Ana 0; Bia 0.\n"
        "On the table: 1, 2, 3, 3, 4 and 5.\n"
        "Chosen: 1.\n"
        "1 is worth 100.\n"
        "If you throw 5 dice: farkle 25/324 (7.7 %).\n"
        "Buttons: Throw 5 dice (100 at stake); Bank 100."
    )
    assert "%" not in play.describe(odds=False)
    assert "Bank" not in play.describe(buttons=False)


def test_5000_in_words():
    throw = Throw(), (1, 1, 1, 5, 3), SetAside((1, 1, 1, 5))
    play = play_of(FiveThousand.beginner(), *throw, typed=True)
    assert play.describe() == (
        "5000 for beginners · first to 5,000.\n"
        "Ana, throw 2 of the turn.\n"
        "Scores: Ana 0; Bia 0.\n"
        "Set aside this turn: 1, 1, 1 and 5.\n"
        "At stake: 1,050 points.\n"
        "1 die to throw.\n"
        "Ana: throw on, or bank.\n"
        "Throw 1 die on the table, and type what you see.\n"
        "If you throw 1 die: no points 2/3 (66.7 %).\n"
        "Buttons: Bank 1,050."
    )


def test_dice_poker_in_words():
    first = Throw(), (6, 6, 6, 1, 2), Write("6")
    play = play_of(DicePoker(), *first, Throw(), (1, 1, 2, 3, 4), chosen=(0, 1))
    assert play.describe() == (
        "Dice poker · 15 rounds.\n"
        "Round 1 of 15 · Bia, 2 throws left.\n"
        "Scores: Ana 0; Bia 0.\n"
        "On the table: 1, 1, 2, 3 and 4.\n"
        "Ana has written row 6: 0.\n"
        "Chosen: 1 and 1.\n"
        "Bia holds 1 and 1.\n"
        "If you throw 3 dice once: three 1s or more 91/216 (42.1 %), three 2s or more 1/216 "
        "(0.5 %), three 3s or more 1/216 (0.5 %), three 4s or more 1/216 (0.5 %).\n"
        "Buttons: Throw 3 dice.\n"
        "Rows to write: 1: −1; 2: −4; 3: −6; 4: −8; 5: −15; 6: −18."
    )


def test_the_end_in_words():
    events = (Throw(), (1, 2, 3, 3, 4, 6), SetAside((1,)), Bank())
    play = play_of(Farkle(target=50, last_round=False), *events)
    assert play.describe().splitlines()[1:] == [
        "Ana wins with 100 points.",
        "Scores: Ana 100; Bia 0.",
        "Buttons: New game.",
    ]


# Every word is translated


class Strange(NullTranslations):
    """A language in which every letter of a text is a sign, and its values are left alone."""

    def gettext(self, text):
        return re.sub(r"{.*?}|[A-Za-z]", lambda part: part[0] if part[0][1:] else "¤", text)

    def ngettext(self, one, many, n):
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context, text):
        return self.gettext(text)


@pytest.fixture
def strange(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", lambda language: Strange())


def english(*texts):
    """The letters in what is seen and read aloud; there should be none."""
    html = "\n".join(map(str, texts))
    aloud = re.findall(r'aria-label="([^"]*)"', html)
    return re.findall(r"[A-Za-z]+", unescape(re.sub(r"<[^>]+>", " ", html)) + " ".join(aloud))


def said(play):
    """All that is shown of a moment."""
    over = play.state.is_terminal
    yield from (play.title(), play.scores(), play.house_rules(), play.describe())
    yield from (play.label(), *(face.words for face in play.faces()))
    yield from (control.words for control in (*play.controls(), *play.rows()))
    yield pictures.history_table(play.history())
    if not over:
        yield from (play.moment(), play.tray(), play.prompt(), play.odds())
    if play.must_choose and play.chosen:
        yield from play.choice()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "rules",
    [
        Farkle(target=1000, farkle_penalty=500),
        MANY_RULES,
        DicePoker.yatzy(),
        DicePoker(dashes="at the end"),
    ],
    ids=["Farkle", "5000", "Yatzy", "Dice poker"],
)
def test_no_word_of_a_game_is_left_in_english(strange, rules, seed):
    chance = random.Random(seed)
    record = Record(rules, ("①", "②", "③"), seed=seed)
    for move in range(150):
        before = record.state
        if before.is_terminal:
            break
        event = None
        if before.current_player != CHANCE:
            event = chance.choice(before.legal_actions())
            stops = Bank() in before.legal_actions() and chance.random() < 0.5
            event = Bank() if stops else event
        event = event or record.dice_due()
        after = record.add(event)
        places = frozenset(k for k in range(len(after.throw)) if chance.random() < 0.5)
        play = given.play_of(record, places, move % 4 == 0, None, move % 7 == 0)
        assert english(play.announce(before, event, after), *said(play)) == []


def test_no_word_of_the_set_up_is_left_in_english(strange):
    setup = Setup(print)
    for kind in COMPUTERS:
        setup.fill(kind(), tuple("①②③④⑤⑥"), {"①": BanksAt(200)})
    seen = [*setup.children]
    for widget in seen:
        seen += getattr(widget, "children", ())
    names = ("description", "placeholder", "value", "options")
    texts = [getattr(widget, name, "") for widget in seen for name in names]
    assert len(texts) > 100
    assert english(*(text for text in texts if text not in (True, False, None))) == []


def test_what_is_written_down_is_the_same_in_every_language(strange):
    play = play_of(DicePoker(), Throw(), (1, 2, 3, 4, 5))
    assert [control.name for control in (*play.controls(), *play.rows())][:3] == ["throw", "1", "2"]
    assert play.rows()[0].events == (Write("1"),)
    _names, computers = named((BanksAt(1000),))
    assert list(map(str, computers.values())) == ["banks at 1000"]


# Names


@pytest.mark.parametrize("rules", [Farkle(), MANY_RULES, DicePoker()], ids=lambda r: r.name)
def test_names_of_any_direction_are_kept_apart(rules):
    name = 'דנה <i>"&"</i>'
    play = play_of(rules, players=(name, "\u202eAna\u2069"))
    shown = "<bdi>דנה &lt;i&gt;&quot;&amp;&quot;&lt;/i&gt;</bdi>"
    for html in (
        play.scores(),
        pictures.said(play.prompt(), ""),
        pictures.history_table([(name, "", "")]),
    ):
        assert shown in html
        assert html.count("<bdi>") == html.count("</bdi>")
        assert "<i>" not in html
    assert "<bdi>\u202eAna" in play.scores()
    assert pictures.html_of(isolated("\u202eAna\u2069")) == "<bdi>\u202eAna</bdi>"


@pytest.mark.parametrize("name", ["Wolfe" * 40, "👩‍👩‍👧‍👦" * 28, "دانا" * 50])
def test_a_long_name_is_whole_in_the_table_and_short_on_a_button(name):
    play = play_of(Farkle(), players=(name, "Bia"), computer=True)
    [button] = play.controls()
    assert isinstance(button, Control)
    assert 30 < len(button.words) < 45
    assert "…" in button.words
    assert "\u200d…" not in button.words
    assert name in play.scores()


# Numbers


def test_great_scores_are_written_whole():
    rules = Farkle(target=10**12)
    start = rules.start("Ana", "Bia")
    state = replace(start, scores=(10**12 - 50, -1000), points=10**9)
    nothing = {"turns": lambda: [[]], "thrown_before": tuple, "events": []}
    play = given.play_of(SimpleNamespace(rules=rules, state=state, **nothing))
    assert "<td>999,999,999,950</td>" in play.scores()
    assert "<td>−1,000</td>" in play.scores()
    assert play.title() == "Farkle · first to 1,000,000,000,000"
    assert [control.words for control in play.controls()] == [
        "Throw 6 dice (1,000,000,000 at stake)",
        "Bank 1,000,000,000",
    ]


def test_every_head_of_a_score_sheet_has_words():
    heads = re.findall(r"<th[^>]*>(.*?)</th>", play_of(DicePoker()).scores())
    assert len(heads) == 3 + 18
    assert all(re.sub("<[^>]+>", "", head) for head in heads)


def test_a_number_that_is_typed():
    assert [whole_of(text) for text in ("9200", "9 200", "9.200", "−1,000", " 0 ")] == [
        *(9200,) * 3,
        -1000,
        0,
    ]
    for wrong in ("9,2", "1e3", "½", "9" * 40, "--1", "1,0000"):
        with pytest.raises(ValueError, match="a whole number is wanted"):
            whole_of(wrong)
