"""Passes and the analyses they share; knows nothing of editors."""
