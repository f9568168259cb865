"""Diagnostic checks (warnings and performance hints), one rule a module."""
