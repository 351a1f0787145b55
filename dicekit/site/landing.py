"""The first page of the site, in every language: where things are, and how work is saved."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from dicekit.lesson.copies import read, title_of
from dicekit.words import LANGUAGES, N_, _, speaking

FOLDER = Path(__file__).parent
STORAGE = "dicekit"  # the name of the database in the browser
# As JupyterLab names the languages.
LOCALES = {code: f"{code}_{code.upper()}" for code in LANGUAGES} | {"en": "en", "pt": "pt_BR"}
PLUGIN = "@jupyterlab/translation-extension:plugin"
TEXTS = {
    "title": N_("Dice games, and their exact chances"),
    "lead": N_("Stop, or throw again? Play, guess, and compute it. It all runs in this browser."),
    "play": N_("Play on the board"),
    "play_how": N_("Run the grey cell: click it, then press Shift + Enter."),
    "wait": N_("The first start takes up to half a minute."),
    "reminder": N_("At the end: save your work."),
    "lessons_title": N_("The lessons"),
    "lessons_how": N_("In English. Begin with the first."),
    "all": N_("All files, in JupyterLab"),
    "save": N_("Save your work"),
    "why": N_(
        "What you play and write is kept in this browser only, on this computer. A school "
        "computer may wipe it when you leave. So take it with you after every lesson."
    ),
    "first": N_("In the notebook, press Ctrl + S (on a Mac ⌘ + S)."),
    "then": N_("Here, download all your work. Keep the file: on a stick, or in your mail."),
    "later": N_("Next time, on any computer, bring the file back here."),
    "download": N_("Download all my work"),
    "back": N_("Bring my work back"),
    "insecure": N_(
        "Attention: games are not kept here. Your browser allows it only if the address begins "
        "with https, or on the computer that holds the site."
    ),
    "as_file": N_(
        "Attention: opened as a file, the site does not work. It needs a web server: ask your "
        "teacher for its address."
    ),
    "teacher": N_("For the teacher"),
    "reference": N_("The reference: every name of the kit, with examples"),
    "read_only": N_("The board is read-only: nobody can spoil it. Lessons are each pupil's own."),
    "hand_in": N_("To collect work, ask for the downloaded file. It opens as any .zip."),
    "online": N_("The site loads Python from the internet once; then the browser keeps it."),
    "offline": N_("The site needs no internet."),
}
SAID = {
    "count": N_("Files of yours in this browser: {n}. Last download: {when}."),
    "never": N_("never"),
    "saved": N_("Downloaded. Look for the file in your downloads."),
    "brought": N_("Files brought back: {n}. What was here already stays as it is."),
    "damaged": N_("This is no .zip file, or it is damaged. Nothing was changed."),
    "failed": N_("Your browser does not allow it."),
}


def pages(notebooks: Path, language: str, offline: bool) -> dict[str, str]:
    """The first page in every language by its name; index.html speaks `language`."""
    from jinja2 import Environment, FileSystemLoader

    template = Environment(loader=FileSystemLoader(FOLDER), autoescape=True).get_template(
        "landing.html.j2"
    )
    lessons = {
        f"notebooks/index.html?path={quote(path.name)}": title_of(read(path), path.stem)
        for path in sorted(notebooks.glob("[0-9]*.ipynb"))
    }
    made = {}
    for code in LANGUAGES:
        with speaking(code):
            said = {name: _(text) for name, text in SAID.items()}
            said |= {"storage": STORAGE, "plugin": PLUGIN}
            made[f"{code}.html"] = template.render(
                {name: _(text) for name, text in TEXTS.items()},
                code=code,
                languages=LANGUAGES,
                locales=LOCALES,
                lessons=lessons,
                said=said,
                internet=_(TEXTS["offline" if offline else "online"]),
            )
    return made | {"index.html": made[f"{language}.html"]}
