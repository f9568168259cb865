"""``python -m pypto_lsp`` is the command ``pypto-lsp``."""

import sys

from pypto_lsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
