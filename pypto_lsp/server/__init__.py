"""The language server; the only place with types of the protocol. ``features`` holds one module per feature."""
