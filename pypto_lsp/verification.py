"""The public interface to properties, verifiers, checks and pipelines, under the names that PyPTO's own has.

Code written for ``pypto.passes`` runs here with the import changed: ``from pypto_lsp import verification as passes``. Programs
come from :func:`parse`, which takes the text of a file, sources and printed IR alike, and never runs it.
"""

from __future__ import annotations

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.checks.check_registry import DiagnosticCheckRegistry, DiagnosticInstrument, ReportInstrument
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import Severity as DiagnosticSeverity
from pypto_lsp.diagnostics.errors import (
    Error,
    InternalError,
    VerificationError,
    check,
    check_span,
    internal_check,
    internal_check_span,
    located,
    raise_internal_error_with_span,
)
from pypto_lsp.ir.builder import IRBuilder
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.structural import structural_equal, structural_hash
from pypto_lsp.ops.build import build_call
from pypto_lsp.passes.diagnostic_checks import (
    DiagnosticCheck,
    DiagnosticCheckSet,
    DiagnosticPhase,
    get_default_diagnostic_phase,
)
from pypto_lsp.passes.pass_manager import (
    CallbackInstrument,
    MemoryPlanner,
    Pass,
    PassContext,
    PassInstrument,
    PassPipeline,
    RuntimeKind,
)
from pypto_lsp.passes.pass_properties import (
    DEFAULT_PIPELINE,
    PASS_PROPERTIES,
    IRProperty,
    IRPropertySet,
    PassProperties,
    get_default_verify_properties,
    get_structural_properties,
    get_verified_properties,
)
from pypto_lsp.passes.pipeline.constructors import (
    OptimizationStrategy,
    PassManager,
    allocate_memory_addr,
    auto_tile_matmul_l0,
    canonicalize_io_order,
    convert_tensor_to_tile_ops,
    convert_to_ssa,
    ctrl_flow_transform,
    expand_mixed_kernel,
    flatten_call_expr,
    flatten_tile_nd_to_2d,
    infer_tile_memory_space,
    init_mem_ref,
    inline_functions,
    lower_auto_vector_split,
    lower_pipeline_loops,
    normalize_return_order,
    normalize_stmt_structure,
    outline_cluster_scopes,
    outline_hierarchy_scopes,
    outline_incore_scopes,
    simplify,
    unroll_loops,
)
from pypto_lsp.passes.pipeline.front_end import as_built
from pypto_lsp.passes.verification_level import VerificationLevel, VerificationMode, get_default_verification_level
from pypto_lsp.verifiers.property_registry import (
    PropertyVerifier,
    PropertyVerifierRegistry,
    VerificationInstrument,
    run_verifier,
    verify_properties,
)
from pypto_lsp.verifiers.round_trip import RoundTripError


def parse(text: str, filename: str = "<string>", name: str | None = None) -> Program:
    """The program that a text defines: a ``@pl.program`` class, a kernel, or printed IR.

    ``name`` chooses among several. Raises ValueError when there is none of that name or several to choose from, and
    :class:`Error` with the place when the front end refuses the text.
    """
    workspace = Workspace()
    workspace.open(filename, text)
    report = workspace.front_end(filename)
    named = [unit for unit in report.units if name is None or unit.name == name]
    if len(named) == 1:
        unit = named[0]
        fault = next((d for d in unit.diagnostics if d.severity is DiagnosticSeverity.ERROR), None)
        if fault is not None:
            raise Error(located(f"{fault.rule_name}: {fault.message}", fault.span))
        return as_built(unit.program)
    found = ", ".join(unit.name for unit in report.units) or "nothing"
    raise ValueError(f"{filename} defines {found}" + (f", not {name}" if name else "; say which by name="))


__all__ = [
    "DEFAULT_PIPELINE",
    "PASS_PROPERTIES",
    "CallbackInstrument",
    "Diagnostic",
    "DiagnosticCheck",
    "DiagnosticCheckRegistry",
    "DiagnosticCheckSet",
    "DiagnosticInstrument",
    "DiagnosticPhase",
    "DiagnosticSeverity",
    "Error",
    "IRBuilder",
    "IRProperty",
    "IRPropertySet",
    "InternalError",
    "MemoryPlanner",
    "OptimizationStrategy",
    "Pass",
    "PassContext",
    "PassInstrument",
    "PassManager",
    "PassPipeline",
    "PassProperties",
    "Program",
    "PropertyVerifier",
    "PropertyVerifierRegistry",
    "ReportInstrument",
    "RoundTripError",
    "RuntimeKind",
    "VerificationError",
    "VerificationInstrument",
    "VerificationLevel",
    "VerificationMode",
    "allocate_memory_addr",
    "auto_tile_matmul_l0",
    "build_call",
    "canonicalize_io_order",
    "check",
    "check_span",
    "convert_tensor_to_tile_ops",
    "convert_to_ssa",
    "ctrl_flow_transform",
    "expand_mixed_kernel",
    "flatten_call_expr",
    "flatten_tile_nd_to_2d",
    "get_default_diagnostic_phase",
    "get_default_verification_level",
    "get_default_verify_properties",
    "get_structural_properties",
    "get_verified_properties",
    "infer_tile_memory_space",
    "init_mem_ref",
    "inline_functions",
    "internal_check",
    "internal_check_span",
    "lower_auto_vector_split",
    "lower_pipeline_loops",
    "normalize_return_order",
    "normalize_stmt_structure",
    "outline_cluster_scopes",
    "outline_hierarchy_scopes",
    "outline_incore_scopes",
    "parse",
    "raise_internal_error_with_span",
    "run_verifier",
    "simplify",
    "structural_equal",
    "structural_hash",
    "unroll_loops",
    "verify_properties",
]
