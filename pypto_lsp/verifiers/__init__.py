"""Property verifiers, one rule a module."""
