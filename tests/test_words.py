"""The languages: whole catalogues, numbers, and no word that goes past them."""

import re
from dataclasses import fields, replace
from functools import partial
from gettext import GNUTranslations
from io import BytesIO
from random import Random
from string import Formatter

import pytest
from brackets import brackets, heard, left_over, marked, said_by
from scenes import SCENES, has_scene, show_scene

from dicekit.board import Board
from dicekit.board.keys import help_texts
from dicekit.board.play import places_of
from dicekit.coach import Coach
from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.games.record import Record
from dicekit.games.scoring import row_name
from dicekit.games.states import (
    CHANCE,
    Bank,
    Decline,
    Hold,
    Pass,
    SetAside,
    TakeOver,
    Throw,
    Write,
    check_names,
)
from dicekit.languages.__main__ import FOLDER, missing, read, written
from dicekit.players import LEVELS, BanksAt, HoldsAlike, in_words
from dicekit.words import (
    LANGUAGES,
    N_,
    _,
    either,
    language,
    listed,
    ngettext,
    number,
    percent,
    pgettext,
    speak,
    speaking,
)

OTHERS = sorted(LANGUAGES.keys() - {"en"})
every_language = pytest.mark.parametrize("code", OTHERS)


# The catalogues


def texts(said):
    return said if isinstance(said, (tuple, list)) else (said,)


def placeholders(text):
    return {name for _said, name, _form, _how in Formatter().parse(text) if name is not None}


@every_language
def test_no_text_is_missing_or_left_over(code):
    known = {(m.context, m.id) for m in read(code) if m.id}
    used = {(m.context, m.id) for m in marked() if m.id}
    assert known == used, "run python -m dicekit.languages"
    assert missing(read(code)) == [], f"translate these in dicekit/languages/{code}.po"


@every_language
def test_what_is_read_is_what_is_written(code):
    po, mo = written(read(code))
    assert (FOLDER / f"{code}.po").read_bytes() == po
    assert (FOLDER / f"{code}.mo").read_bytes() == mo


@every_language
def test_placeholders_agree(code):
    forms = read(code).num_plurals
    for message in (m for m in read(code) if m.id and all(texts(m.string))):
        ids, said = texts(message.id), texts(message.string)
        assert len(said) == (forms if len(ids) > 1 else 1), message.id
        wanted = placeholders(ids[-1])
        few = wanted - {"n"} if len(ids) > 1 else wanted  # "un dé" needs no number
        for form, text in enumerate(said):
            found = placeholders(text)
            assert (few if form == 0 else wanted) <= found <= wanted, (message.id, text)


@every_language
def test_what_begins_and_ends_alike(code):
    """Capitals and full stops stand where they do in English."""
    for message in (m for m in read(code) if m.id and all(texts(m.string))):
        for one, said in (
            (one, said) for one in texts(message.id)[:1] for said in texts(message.string)
        ):
            assert one.endswith(".") == said.endswith("."), said
            assert (one[:1].isspace(), one[-1:].isspace()) == (False, one == "; "), one
            if one[0].isalpha() and said[0].isalpha():
                assert one[0].isupper() == said[0].isupper(), (one, said)


def test_french_signs_have_their_narrow_space():
    for message in (m for m in read("fr") if m.id):
        for said in texts(message.string):
            assert not re.search(r"(?<!\u202f)[;:!?»]|«(?!\u202f)|[“”]", said), said


def test_the_tests_of_catalogues_notice():
    assert placeholders("{name} banks {points}.") == {"name", "points"}
    catalogue = read("fr")
    catalogue.add("a text", "")
    assert missing(catalogue) == ["a text"]
    po, mo = written(catalogue)
    assert b'"a text"' in po
    assert GNUTranslations(BytesIO(mo)).gettext("a text") == "a text"


def test_texts_are_found_wherever_they_stand():
    found = {m.id for m in marked()}
    assert "Scoring table" in found  # within an f-string
    assert ("{n} die", "{n} dice") in found
    assert "Play to" in found
    assert any(m.context == "button" and m.id == "Throw" for m in marked())


# Speaking


def test_a_language_is_spoken_within_its_block_only():
    with speaking("fr"):
        with pytest.raises(KeyError), speaking("pt"):
            raise KeyError
        assert language() == "fr"
    assert language() == "en"


def test_a_language_that_is_not_known():
    with pytest.raises(ValueError, match=r'"fr" \(français\).*not \'de\''):
        speak("de")
    assert language() == "en"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["−9,200", "1,234.5", "44.4 %", "+0.5 %", "1, 2 and 3", "1 or 2"]),
        ("fr", ["−9\u202f200", "1\u202f234,5", "44,4 %", "+0,5 %", "1, 2 et 3", "1 ou 2"]),
        ("pt", ["−9.200", "1.234,5", "44,4 %", "+0,5 %", "1, 2 e 3", "1 ou 2"]),
    ],
)
def test_numbers_and_lists(code, said):
    with speaking(code):
        numbers = [number(-9200), number(1234.5, ",.1f"), percent(4 / 9), percent(0.005, "+")]
        found = [*numbers, listed([1, 2, 3]), either([1, 2])]
        assert [text.replace("\u202f%", " %").replace("\xa0%", " %") for text in found] == said
        assert listed(["Ana"]) == "Ana"


@pytest.mark.parametrize(
    ("code", "said"), [("fr", ["0 dé", "1 dé", "2 dés"]), ("pt", ["0 dado", "1 dado", "2 dados"])]
)
def test_plurals(code, said):
    with speaking(code):
        assert [ngettext("{n} die", "{n} dice", n) for n in range(3)] == said


def test_values_are_filled_in_as_they_are():
    assert _("{name} banks {points}.", name="{points}", points=1200) == "{points} banks 1,200."
    assert _("{name} it is", name=True) == "True it is"
    assert _("a {brace}") == "a {brace}"
    assert _("") == "" and N_("x") == "x"


def test_one_word_with_two_meanings():
    with speaking("fr"):
        assert pgettext("button", "Throw") == "Lancer"
        assert pgettext("nowhere", "Throw") == "Throw"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_button_has_a_key_of_its_own(code):
    with speaking(code):
        keys = [line[0] for line in help_texts()[2:]]
    assert len(set(keys)) == len(keys)


# No word goes past the catalogues: what stands in no brackets was not translated

GAMES = [
    Farkle(opening=500, farkle_penalty=500),
    FiveThousand(
        prediction="turn", steal="turn", no_repeat=True, full_hand="must", first="highest throw"
    ),
    FiveThousand(keep="any", exact=True, no_equal_scores=True, three_zeros=True),
    DicePoker(),
    DicePoker(dashes="at the end", chance="fallback"),
    DicePoker.yatzy(),
    DicePoker.american(),
]
NAMES = "Ana", "Bia"
ACTS = [
    Throw(),
    Throw(7),
    Bank(),
    TakeOver(),
    Decline(),
    Pass(),
    Hold((1,)),
    Hold(()),
    SetAside(()),
]
ACTS += [SetAside((2,)), SetAside((1,)), SetAside((5, 5)), Hold((6, 6)), *map(Write, ("1", "pair"))]
ACTS += [Write("chance"), Write("full house")]
every_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def played(rules, seed, most=80):
    """The states of a random game."""
    rng, state = Random(seed), rules.start(*NAMES)
    for _n in range(most):
        yield state
        if state.is_terminal:
            return
        rolls = state.current_player == CHANCE
        dice = tuple(rng.choices(range(1, 7), k=state.dice)) if rolls else ()
        state = state.child(dice if rolls else rng.choice(state.legal_actions()))


@every_game
def test_every_action_and_refusal_is_translated(rules):
    offered, refused = set(), set()
    with brackets():
        for state in played(rules, seed=0):
            offered |= {str(action) for action in state.legal_actions()}
            wrong = [a for a in ACTS if a not in state.legal_actions()]
            for event in [*wrong, (1,) * 7, (9,) * state.dice]:
                if not isinstance(event, tuple) or state.current_player == CHANCE:
                    with pytest.raises(ValueError) as error:
                        state.child(event)
                    refused.add(re.sub("'[^']*'", "", str(error.value)))
    assert len(refused) > 20
    assert left_over("\n".join(offered | refused), NAMES) == []


@every_game
def test_every_option_is_translated(rules):
    with brackets():
        assert left_over(_(rules.name)) == [] or rules.name == "5000"
        for name, option in options(rules).items():
            assert left_over(_(option.label)) == []
            said = [option.says(value) for value in (*option.choices, getattr(rules, name))]
            assert left_over(" ".join(said)) == []
            with pytest.raises(ValueError) as error:
                replace(rules, **{name: 7.5})
            asked = re.sub(r"'[^']*'|None|True|False", "", str(error.value))
            assert left_over(asked, [name]) == []
        for kind in ("bust", "all_aside"):
            assert left_over(_(getattr(rules, kind, ""))) == []
        for row in rules.sheet.rows if hasattr(rules, "sheet") else ():
            assert left_over(_(row.name)) == []
        for pattern in getattr(rules, "rows", ()):
            assert left_over(row_name(pattern)) == []


@pytest.mark.parametrize(
    "make",
    [
        partial(check_names, ()),
        partial(check_names, (" ",)),
        partial(check_names, ("Ana", "Ana")),
        partial(check_names, ("Ana \ud800",)),
        partial(Farkle, target=500, opening=1000),
        partial(FiveThousand, exact=True, target=5000, small_straight=333),
        partial(DicePoker, first_throw_doubles=False, double_bonus=True),
        partial(Farkle().score, (1,) * 7),
        partial(Farkle().is_bust, (1,) * 7),
        partial(DicePoker().row, "'Ana'"),
        partial(Coach, DicePoker(), Die.loaded({6: 0.5})),
        partial(BanksAt(300), DicePoker().start("Ana")),
        partial(HoldsAlike(), Farkle().start("Ana")),
    ],
)
def test_what_is_refused_is_translated(make):
    with brackets(), pytest.raises(ValueError) as error:
        make()
    names = ["Ana", "ud800", "ud", "opening", "Die", "loaded", "exact"]
    names += [field.name for field in fields(DicePoker)]
    assert left_over(error.value, names) == []
    assert "⟦" in str(error.value)


@pytest.mark.parametrize(
    "rules",
    [replace(GAMES[0], target=2000), replace(GAMES[2], exact=False, target=2000), GAMES[3]],
    ids=lambda r: r.name,
)
def test_the_coach_is_translated(rules):
    coach, record = (
        Coach(rules),
        Record(rules, NAMES, seed=3, notes={"computers": {"Bia": "careful"}}),
    )
    with brackets():
        for turn in range(20):
            state = record.state
            if state.current_player == CHANCE:
                record.roll()
                continue
            advice = coach.advice(state, state.legal_actions()[-1])
            assert left_over(repr(advice)) == [] == left_over(advice._repr_html_())
            record.add(state.legal_actions()[turn % len(state.legal_actions())])
        assert left_over(coach.review(record)._repr_html_(), NAMES) == []


# The board

LETTERS, ADDRESS = set("ABCDEF"), re.compile(r"[\w-]+/[\w-]+\.jsonl|\?game=\S+")
CODE = {"from", "dicekit", "import", "Board", "game", "players", "Farkle", "FiveThousand"}
CODE |= {"DicePoker"}
QUICK = {
    "Farkle": ["vote", "back", "delete", "review"],
    "5000": ["explorer", "offered", "announced"],
    "Dice poker": ["coach", "late"],
}
SHOWN = [
    pytest.param(game, scene, marks=[] if scene in QUICK[game] else pytest.mark.slow)
    for game in QUICK
    for scene in SCENES
    if scene not in ("names", "asleep") and has_scene(game, scene)
]
# The names that the set-up proposes are said anew.
USUAL = re.compile("⟦Player ⟧(?=[A-F])|Joueur ")


def on(board):
    """All that is said on a board."""
    return ADDRESS.sub("", f"{said_by(board)}\n{board.describe()}")


def kept(board):
    """What a board keeps when its language changes."""
    setup, coach, record, vote = board.setup, board.coach, board.record, board.teacher.vote
    return {
        "record": record and (id(record), record.rules, record.events, record.notes),
        "moment": (board.state, board._chosen, board.moment if record else None),
        "names": [USUAL.sub("", name) for name in setup.names],
        "setup": (setup.rules, setup.computers, setup.dice.picked, setup.seed),
        "vote": (vote.hides, vote.shows, [field.value for field in vote.votes.values()]),
        "switches": (board.teacher.on, coach.allowed, coach.shown, coach.reviews),
        "open": (board._open_part, [part.layout.display for part in board.children]),
    }


@pytest.mark.parametrize(("game", "scene"), SHOWN)
def test_every_scene_is_translated_and_kept_when_the_language_changes(game, scene):
    with brackets("pt"):
        board = show_scene(game, scene, "pt")
        people = board.record.players if board.record else ()
        allowed = {*people, *LETTERS, *LANGUAGES.values(), *(CODE if scene == "explorer" else ())}
        assert left_over(on(board), allowed) == []
        before = kept(board)
        board.tongue.index = list(LANGUAGES).index("fr")
        assert kept(board) == before
        # A computer was named when the game began, and keeps its name.
        assert "⟦" not in heard(on(board)).replace("⟦Computer⟧", "")
        assert board.language == "fr" and "dk-pt" not in board._dom_classes


def test_a_computer_with_the_usual_name_stays_a_computer(tmp_path):
    board = Board(folder=tmp_path, language="fr")
    board.setup.people[1].children[1].pick(BanksAt(500))
    board.speak("pt")
    assert board.setup.computers == {"Jogador B": BanksAt(500)}


def test_the_setup_is_kept_when_the_language_changes(tmp_path):
    board = Board("5000", folder=tmp_path, language="fr")
    rules = FiveThousand(target=3000, steal="turn", three_zeros=True, prediction="total")
    board.setup.fill(rules, ("Ana", "Bia", "Cai"), {"Bia": BanksAt(1000)}, typed=True, seed=12)
    before = kept(board)
    board.speak("pt")
    assert kept(board) == before
    board.start()
    assert (board.record.rules, board.record.players, board.record.seed) == (
        rules,
        ("Ana", "Bia", "Cai"),
        12,
    )


@pytest.mark.parametrize("rules", GAMES[:2] + GAMES[3:4], ids=lambda rules: rules.name)
def test_whatever_happens_on_the_board_is_translated(rules, tmp_path):
    rng, seen = Random(1), set()
    with brackets():
        board = Board(rules, players=NAMES, folder=tmp_path, seed=3)
        for _turn in range(40):
            if board.state.is_terminal:
                break
            if board.state.stage == "thrown":
                action = rng.choice(board.state.legal_actions())
                for place in places_of(getattr(action, "dice", ()), board.state.throw):
                    board.toggle(place)
            buttons = [c.name for c in (*board._play.controls(), *board._play.rows())]
            board.press(rng.choice(buttons))
            seen |= {board._said, board.describe()}
        seen.add(on(board))
    assert left_over("\n".join(seen), {*NAMES, *LETTERS, *LANGUAGES.values()}) == []


def test_computer_players_are_translated():
    with brackets():
        for player in (*LEVELS, HoldsAlike(), BanksAt(1000)):
            assert left_over(in_words(player)) == []
    assert in_words(BanksAt(1000)) == "banks at 1,000" and str(BanksAt(1000)) == "banks at 1000"


def test_figures_are_translated():
    from matplotlib.text import Text

    from dicekit import plots
    from dicekit.own_data import Observed
    from dicekit.probability import Distribution, throws
    from dicekit.solve.best_turn import best_turn
    from dicekit.solve.chain import MarkovChain
    from dicekit.solve.many_turns import turns_to_target
    from dicekit.solve.race import best_race

    short, seen = replace(FiveThousand.beginner(), target=500), [1, 6] * 50
    turn, coin = best_turn(short), Distribution({"Ana": 1, "Bia": 1})
    figures = [
        partial(plots.bars, throws(2).map(sum)),
        partial(plots.bars, throws(6).map(sum)),
        partial(plots.bars, {"pair": 0.5, "chance": 0.5}),
        partial(plots.bars, {"Ana": throws(1), "Bia": throws(1)}),
        partial(plots.bust_chances, short),
        partial(plots.bust_chances, {"Ana": short, "Bia": FiveThousand()}),
        partial(plots.decisions, turn),
        partial(plots.throw_or_bank, turn, 2),
        partial(plots.throw_or_bank, turn, 1),
        partial(plots.chain, MarkovChain({"Ana": {"Bia": 1}, "Bia": {"Bia": 1}})),
        partial(plots.turns, turns_to_target(short, 300)),
        partial(plots.race, best_race(short)),
        partial(plots.observed, Observed({"Ana": 90, "Bia": 10}, coin)),
        partial(plots.running_mean, seen, 3.5),
        partial(plots.running_mean, {"Ana": seen}),
        partial(plots.intervals, [seen, [1, 3] * 50], 3.5),
    ]
    for figure in figures:
        with brackets():
            ax = figure()
            ax.figure.canvas.draw()
            shown = [text.get_text() for text in ax.figure.findobj(Text)]
            for text in (plots.alt_text(ax), " ".join(shown)):
                assert left_over(text, NAMES) == [], text
            assert "⟦" in plots.alt_text(ax)


def test_what_is_left_over_is_noticed():
    assert left_over('<p title="not this">⟦It is ⟧Ana<style>b</style></p>') == [
        "Ana",
        "not",
        "this",
    ]
    with brackets():
        assert left_over(_("{name} begins.", name=_("nobody knows him"))) == [
            "nobody",
            "knows",
            "him",
        ]
        assert left_over(f"{_('Play to')} points") == ["points"]
