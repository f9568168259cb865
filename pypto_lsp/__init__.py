"""Language server and command line checker for the PyPTO kernel language."""

__version__ = "0.1.0"
