"""The catalogues of `dicekit.words`, one for each language but English.

Translations are written in the `.po` files; what the package reads are the `.mo` files.

    python -m dicekit.languages

brings new texts from the code into every `.po` file, takes out those that are gone, makes the
`.mo` files anew, and names what is still to be translated.
"""
