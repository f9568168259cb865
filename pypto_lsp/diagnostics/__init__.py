"""Findings: the diagnostic, its fixes, the registry of front-end faults; knows nothing of the protocol."""

from pypto_lsp.diagnostics.diagnostic import Diagnostic, Edit, Fix, Related, Severity
from pypto_lsp.diagnostics.faults import FAULTS, FaultKind, fault

__all__ = ["FAULTS", "Diagnostic", "Edit", "FaultKind", "Fix", "Related", "Severity", "fault"]
