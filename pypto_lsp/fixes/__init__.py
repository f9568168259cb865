"""Quick fixes, one module a family, attached to a finding's rule name and code."""
