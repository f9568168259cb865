"""The engine: open documents over files, one report per file, memoised by content; knows nothing of the protocol."""
