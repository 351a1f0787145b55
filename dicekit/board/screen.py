"""What is seen of a board: its widgets, and how they show a moment of the game.

All widgets are made once for a language. To show something else is to change their traits, so
that the keyboard focus stays where it is.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ipywidgets import HTML, HBox, Text, VBox

from dicekit.board import pictures
from dicekit.board.advice import Coaching
from dicekit.board.keys import make_keys
from dicekit.board.play import Play
from dicekit.board.race_picture import ending, race_picture
from dicekit.board.setup import Choice, Setup
from dicekit.board.shelf import Shelf
from dicekit.board.teacher import SWITCHES, Teacher
from dicekit.board.widgets import box, button_for, change, filled, html, press_if, show_if, watch
from dicekit.games.sheet import MOST_ROWS
from dicekit.games.states import dashed
from dicekit.words import LANGUAGES, _, ngettext

MOST_DICE = 6
MOST_CONTROLS = 3
TURNS_SHOWN = 40


class Screen(VBox):
    """The widgets of a board. What a person does with them is the board's to say; what it has
    said and done (`record`, `looks_back`, `_play`, ...) is asked of the board that this is."""

    children: Any
    teacher: Any = None
    coach: Any = None
    _heard = ""  # what a screen reader was told last
    _pictured: Any = None  # the moment of the race that is drawn
    _open_part = ""  # of those that are mostly folded away, the one that is open

    def _make_widgets(self, coach: bool | None) -> None:
        """Make every widget anew, in the language spoken now."""
        self._make_texts()
        self._make_buttons(self)
        usual = {**dict.fromkeys(SWITCHES, False), "odds": True, "picture": True}
        on, vote = (self.teacher.on, self.teacher.vote) if self.teacher else (usual, None)
        self.teacher = Teacher(self, on, vote)
        self.coach = Coaching(coach, self.refresh, self.coach)
        self.keyboard = make_keys()
        self.children = self._arrange()

    def _make_texts(self) -> None:
        self.style_sheet = html("dk-style")
        self.style_sheet.value = pictures.style_sheet()
        self.title, self.say = html("dk-title"), html("dk-say")
        self.scores, self.label, self.tray = html("dk-score"), HTML(), html("dk-tray")
        self.odds, self.history = html("dk-odds"), html("dk-history")
        self.picture, self.ending = html("dk-picture"), html("dk-ending")
        self.rules, self.saved = html("dk-rules"), html("dk-saved")

    def _make_buttons(self, board: Any) -> None:
        self.tongue = Choice(_("Language"), {name: code for code, name in LANGUAGES.items()})
        self.tongue.pick(board.language)
        watch(self.tongue, "index", lambda change: board.speak(self.tongue.picked))
        links = (
            button_for(_("Explore these rules"), board.explore, "dk-quiet"),
            button_for(_("Saved games"), partial(self._unfold, "games"), "dk-quiet"),
            button_for(_("For the class"), partial(self._unfold, "class"), "dk-quiet"),
        )
        self.setup = Setup(board.start, [self.tongue], links)
        self.shelf = Shelf(board.folder, board.load, lambda: board.playing)
        self.last_game, resume = html("dk-last"), button_for(_("Resume"), board.resume, "dk-row")
        self.offer = box(HBox, "dk-offer", self.last_game, resume)
        self.dice = [button_for("", partial(board.toggle, place)) for place in range(MOST_DICE)]
        self.typed_text = watch(Text(description=_("What the dice show")), "value", board._typed_in)
        self.typing = box(HBox, "dk-typing", self.typed_text)
        sums = {_("nothing"): None, **{str(total): total for total in range(2, 13)}}
        self.announced = watch(Choice(_("Announce a sum"), sums), "index", self.refresh)
        self.controls = [button_for("", board._clicked, "dk-go") for n in range(MOST_CONTROLS)]
        self.rows = [button_for("", board._clicked, "dk-row") for n in range(MOST_ROWS)]
        quiet = {
            "undo": (_("Undo"), board.undo),
            "retype": (_("Retype throw"), board.retype),
            "class": (_("For the class"), partial(self._unfold, "class")),
            "games": (_("Games"), partial(self._unfold, "games")),
            "help": (_("Keys"), lambda button: None),  # keys.js shows them
            "new": (_("New game"), board.new_game),
        }
        self.quiet = {
            name: button_for(words, click, "dk-quiet", f"dk-key-{name}")
            for name, (words, click) in quiet.items()
        }

    def _arrange(self) -> list[Any]:
        dice = box(HBox, "dk-dice", *self.dice)
        rows = box(HBox, "dk-rows", *self.rows)
        play = box(VBox, "dk-play", self.label, dice, self.typing, self.tray, rows)
        quiet = box(HBox, "dk-quiets", self.coach.button, *self.quiet.values())
        buttons = box(HBox, "dk-buttons", self.announced, *self.controls, quiet)
        self.body = box(HBox, "dk-body", self.scores, play)
        self.act = box(HBox, "dk-act", self.odds, buttons)
        self.begin = box(VBox, "dk-begin", self.setup)
        self.after = box(HBox, "dk-after", self.coach, self.picture, self.history)
        begin = [self.title, self.offer, self.shelf, self.begin]
        strips = box(VBox, "dk-strips", self.teacher.vote, self.teacher.look)
        now = [self.body, self.say, self.act, strips, self.coach.bar, self.ending, self.after]
        keyboard = [self.keyboard] if self.keyboard else []
        return [self.style_sheet, *keyboard, *begin, *now, self.teacher, self.rules, self.saved]

    def _unfold(self, name: str, button: Any = None) -> None:
        """Open a part of the board that is mostly closed, or close it again."""
        self._open_part = "" if self._open_part == name else name
        if self._open_part == "games":
            self.shelf.refresh()
        self.refresh()

    def fold(self) -> None:
        """Close what was unfolded: there is something else to look at."""
        self._open_part = ""

    def refresh(self, change: Any = None) -> None:
        """Show the present moment of the game, or the one that is looked at."""
        play = self._play
        for part in (self.body, self.act, self.after, self.rules, self.saved):
            show_if(part, play is not None)
        show_if(self.begin, play is None)
        show_if(self.shelf, self._open_part == "games")
        last = None if play is not None or self._open_part == "games" else self.shelf.unfinished
        self.last_game.value = pictures.label(last[1]) if last else ""
        show_if(self.offer, last is not None)
        show_if(self.teacher, self._open_part == "class")
        show_if(self.teacher.in_game, play is not None)
        show_if(self.teacher.look, self.looks_back)
        for name in ("class", "games"):
            press_if(self.quiet[name], self._open_part == name)
        show_if(self.quiet["help"], self.keyboard is not None)
        (self.add_class if self.teacher.on["large"] else self.remove_class)("dk-projector")
        sheet = play is not None and hasattr(play.state, "sheets")
        (self.add_class if sheet else self.remove_class)("dk-sheet")
        if play is None:
            self._say(_("A new game"), "", self._said, "")
            self.ending.value = self.picture.value = ""
            self.coach.show(None)
            return
        self._render_dice(play)
        self._render_words(play)
        self._render_buttons(play)
        self._render_around(play)

    def _say(self, title: str, moment: str, fact: str, remark: str, before: str = "") -> None:
        """Say it in the title and the status line, and to a screen reader."""
        self.title.value = pictures.title(title, moment)
        self.say.value = pictures.said(fact, remark, live=self.keyboard is None)
        heard = " ".join(filter(None, (fact, before, remark)))
        if self.keyboard is not None and heard != self._heard:
            self.keyboard.said = self._heard = heard

    def _render_dice(self, play: Play) -> None:
        tumble = "dk-roll-a" if self._tumble else "dk-roll-b"
        frozen = self.teacher.on["frozen"]
        for die, face in filled(self.dice, play.faces()):
            if face:
                names = ("dk-die", f"dk-f{face.face}", tumble, *face.looks)
                change(die, description=face.words, _dom_classes=names, disabled=frozen)

    def _render_words(self, play: Play) -> None:
        over = play.state.is_terminal
        fact, remark = self._said, "" if over else play.prompt()
        if play.must_choose and play.chosen:
            worth, remark = play.choice()
            fact = " ".join(filter(None, (fact, worth)))
        if self.teacher.on["frozen"] and not over:
            remark = _("The game is frozen.")
        moment = _("Game over") if over else play.moment()
        if self.looks_back:
            moment, fact, remark = _("Looking back: {moment}", moment=moment), play.last_words(), ""
        thrown = ""
        if play.must_choose and not play.chosen:
            thrown = _("Thrown: {dice}.", dice=dashed(play.state.throw))
        self._say(play.title(), moment, fact, remark, thrown)
        self.scores.value = play.scores()
        self.label.value = pictures.label(play.label())
        self.tray.value = "" if over else play.tray()
        hidden = over or self.teacher.vote.hides
        hidden |= not (self.teacher.on["odds"] or self.teacher.vote.shows)
        self.odds.value = "" if hidden else play.odds()
        self.history.value = pictures.history_table(play.history()[:TURNS_SHOWN])
        house, record = play.house_rules(), self.record
        self.rules.value = pictures.folded(_("Rules"), play.rules_words())
        self.saved.value = pictures.saved(record.path, record.trouble, house)

    def _render_buttons(self, play: Any) -> None:
        board: Any = self
        now, frozen = not board.looks_back, self.teacher.on["frozen"]
        shown = (play.controls(), play.rows()) if now else ((), ())
        for buttons, controls in zip((self.controls, self.rows), shown, strict=True):
            for button, control in filled(buttons, controls):
                button.control = control
                if control:
                    key = f"dk-key-{control.name.replace(' ', '-')}"
                    names = (button._dom_classes[0], f"dk-{control.look}", key)
                    change(button, description=control.words, _dom_classes=names, disabled=frozen)
        show_if(self.typing, now and play.awaits_typing)
        dice = play.state.dice
        self.typed_text.placeholder = ngettext("{n} digit", "{n} digits", dice)
        self.typed_text.disabled = frozen
        show_if(self.announced, now and play.announces())
        may_undo = now and not frozen and bool(board.record.decision(board._people))
        show_if(self.quiet["undo"], may_undo)
        show_if(self.quiet["retype"], now and not frozen and board.typed and bool(play.last_throw))
        show_if(self.quiet["new"], not frozen and not (now and play.state.is_terminal))

    def _render_around(self, play: Play) -> None:
        """What stands below the board: the coach, the race, the end, the teacher's panel."""
        view, vote = play.record, self.teacher.vote
        self.coach.show(play, hidden=vote.hides, shown=vote.shows)
        over = view.state.is_terminal
        wanted = self.teacher.on["picture"] and not over and len(view.turns()) > 1
        if not wanted:
            self.picture.value = ""
        elif view.state is not self._pictured or not self.picture.value:
            self._pictured, self.picture.value = view.state, race_picture(view)
        self.ending.value = ending(view, self.coach.review) if over else ""
        if self._open_part == "class" or self.looks_back:
            self.teacher.look.show(len(view.events), self.stops)
        if self._open_part == "class":
            choices = [control for control in play.controls() if control.look != "not-yet"]
            vote.ask.disabled = over or len(choices) + len(play.rows()) < 2
            self.teacher.position.show(view)
