"""`python -m dicekit` is the command `dicekit`."""

import sys

from dicekit.app import main

if __name__ == "__main__":
    sys.exit(main())
