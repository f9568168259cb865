"""The command ``pypto-lsp``; each subcommand is a module, imported when it is used."""
