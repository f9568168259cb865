"""The public interface, used as the documents of PyPTO use theirs; only the import differs."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from pypto_lsp import verification as passes
from pypto_lsp.diagnostics.errors import full_message, rethrow_with_message

GOOD = """import pypto.language as pl


@pl.program
class Good:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        y = pl.add(x, x)
        return y
"""
#: two faults: the loop carries another shape than it starts with, and a name is dead
BAD = """import pypto.language as pl


@pl.program
class Bad:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], y: pl.Tensor[[32, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        dead = pl.add(x, x)
        for i, (s,) in pl.range(0, 4, 1, init_values=(x,)):
            r = pl.yield_(y)
        return r
"""
TWICE = GOOD.replace("        return y\n", "        y = pl.add(y, y)\n        return y\n")
#: rows of 256 bytes, half of what the target wants
NARROW = """import pypto.language as pl


@pl.program
class Narrow:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        return o
"""


@pytest.fixture
def good() -> object:
    return passes.parse(GOOD)


@pytest.fixture
def bad() -> object:
    return passes.parse(BAD)


def test_verify_and_report(good, bad) -> None:  # type: ignore[no-untyped-def]
    props = passes.get_default_verify_properties()
    assert passes.PropertyVerifierRegistry.verify(props, good) == []
    diagnostics = passes.PropertyVerifierRegistry.verify(props, bad)
    report = passes.PropertyVerifierRegistry.generate_report(diagnostics)
    assert "Total diagnostics: 1 (1 errors, 0 warnings)" in report
    assert "[1] ERROR - TypeCheck" in report
    assert "Error Code: 104" in report
    assert report.endswith("Status: FAILED (1 error(s) found)\n")
    assert "Status: PASSED" in passes.PropertyVerifierRegistry.generate_report([])


def test_selective_verification() -> None:
    program = passes.parse(TWICE)
    props = passes.IRPropertySet()
    props.insert(passes.IRProperty.SSAForm)
    props.insert(passes.IRProperty.TypeChecked)
    found = passes.PropertyVerifierRegistry.verify(props, program)
    assert [(d.rule_name, d.error_code, d.severity) for d in found] == [
        ("SSAVerify", 1, passes.DiagnosticSeverity.ERROR)
    ]
    props.remove(passes.IRProperty.SSAForm)
    assert passes.PropertyVerifierRegistry.verify(props, program) == []


def test_verify_or_throw(bad) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(passes.VerificationError) as caught:
        passes.PropertyVerifierRegistry.verify_or_throw(passes.get_default_verify_properties(), bad)
    assert isinstance(caught.value, passes.Error)
    assert [d.error_code for d in caught.value.diagnostics] == [104]


def test_verifier_pass(good, bad) -> None:  # type: ignore[no-untyped-def]
    assert passes.run_verifier()(good) is good
    with pytest.raises(passes.VerificationError):
        passes.run_verifier()(bad)
    props = passes.get_default_verify_properties()
    props.remove(passes.IRProperty.TypeChecked)
    assert passes.run_verifier(properties=props)(bad) is bad


def test_every_property_but_one_has_a_verifier() -> None:
    without = [prop for prop in passes.IRProperty if not passes.PropertyVerifierRegistry.has(prop)]
    assert without == [passes.IRProperty.VectorKernelSplit]
    verifier = passes.PropertyVerifierRegistry.get(passes.IRProperty.InOutUseValid)
    assert verifier is not None
    assert verifier.get_name() == "InOutUseValid"
    assert passes.PropertyVerifierRegistry.get(passes.IRProperty.VectorKernelSplit) is None


def test_property_sets() -> None:
    assert (len(passes.get_structural_properties()), len(passes.get_verified_properties())) == (11, 18)
    assert len(passes.get_default_verify_properties()) == 10
    at_input = passes.get_structural_properties().intersection(passes.get_verified_properties())
    assert len(at_input) == 6
    changed = passes.get_structural_properties()
    changed.remove(passes.IRProperty.TypeChecked)
    assert changed != passes.get_structural_properties()
    assert passes.get_structural_properties().contains_all(changed)
    assert changed.difference(changed).empty()


def test_pipeline_verifies_at_its_start_and_names_the_place(bad) -> None:  # type: ignore[no-untyped-def]
    pipeline = passes.PassPipeline()
    pipeline.add_pass(passes.inline_functions())
    assert pipeline.get_pass_names() == ["InlineFunctions"]
    with pytest.raises(passes.VerificationError, match="after 'pipeline_input'"):
        pipeline.run(bad)
    with passes.PassContext([], verification_level=passes.VerificationLevel.NONE):
        assert set(pipeline.run(bad).functions) == {"main"}


def test_pipeline_verifies_what_a_pass_makes() -> None:
    program = passes.parse(TWICE)
    claims = passes.PassProperties(produced=frozenset({passes.IRProperty.SSAForm}))
    pipeline = passes.PassPipeline([passes.Pass("Claims", lambda p: p, claims)])
    with pytest.raises(passes.VerificationError, match="after 'Claims'"):
        pipeline.run(program)


def test_instruments(good, bad) -> None:  # type: ignore[no-untyped-def]
    seen: list[str] = []
    watch = passes.CallbackInstrument(
        before_pass=lambda p, _: seen.append(f"before {p.get_name()}"),
        after_pass=lambda p, _: seen.append(f"after {p.get_name()}"),
    )
    with passes.PassContext([watch]) as context:
        assert passes.PassContext.current() is context
        passes.inline_functions()(good)
    assert seen == ["before InlineFunctions", "after InlineFunctions"]
    assert passes.PassContext.current() is None
    before = passes.VerificationInstrument(passes.VerificationMode.BEFORE)
    with passes.PassContext([before]), pytest.raises(passes.VerificationError, match="before 'InlineFunctions'"):
        passes.inline_functions()(bad)
    off = passes.VerificationInstrument(passes.VerificationMode.NONE)
    with passes.PassContext([off]):
        passes.inline_functions()(bad)


def test_hints_go_to_the_report_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    program, pipeline = passes.parse(NARROW, "narrow.py"), passes.PassPipeline()
    caplog.set_level(logging.INFO, logger="pypto_lsp.diagnostics")
    with passes.PassContext([passes.ReportInstrument(str(tmp_path))]):
        pipeline.run(program)
    lines = (tmp_path / "perf_hints.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert all(line.startswith("[perf_hint PH001] TileInnermostDimGranularity: ") for line in lines)
    assert lines[0].endswith(" at narrow.py:8:13")
    assert [r.getMessage() for r in caplog.records] == [
        f"[perf_hint] 2 hints across 2 sites; see {tmp_path / 'perf_hints.log'}"
    ]


def test_hints_and_warnings_can_be_switched_off(caplog: pytest.LogCaptureFixture) -> None:
    program, pipeline = passes.parse(NARROW), passes.PassPipeline()
    caplog.set_level(logging.INFO, logger="pypto_lsp.diagnostics")
    with passes.PassContext([]):
        pipeline.run(program)
    assert len(caplog.records) == 2
    caplog.clear()
    disabled = passes.DiagnosticCheckSet()
    disabled.insert(passes.DiagnosticCheck.TileInnermostDimGranularity)
    with passes.PassContext([], disabled_diagnostics=disabled):
        pipeline.run(program)
    with passes.PassContext([], diagnostic_phase=passes.DiagnosticPhase.NONE):
        pipeline.run(program)
    assert caplog.records == []


def test_warnings_come_before_errors(bad, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(passes.VerificationError):
        passes.PassPipeline().run(bad)
    (record,) = caplog.records
    assert record.getMessage().startswith("[warning] [UnusedVariableCheck] (pipeline_input) ")


def test_check_registry(bad) -> None:  # type: ignore[no-untyped-def]
    registry = passes.DiagnosticCheckRegistry
    assert len(registry.get_all_checks().to_list()) == 4
    assert registry.get_perf_hint_checks().to_list() == [passes.DiagnosticCheck.TileInnermostDimGranularity]
    assert registry.get_all_checks().difference(registry.get_warning_checks()) == registry.get_perf_hint_checks()
    found = registry.run_checks(registry.get_all_checks(), passes.DiagnosticPhase.PRE_PIPELINE, bad)
    assert [d.error_code for d in found] == [1001]
    assert registry.run_checks(registry.get_all_checks(), passes.DiagnosticPhase.POST_PASS, bad) == []


@pytest.mark.parametrize(("text", "level"), [("none", "NONE"), ("roundtrip", "ROUNDTRIP"), ("loud", "BASIC")])
def test_verification_level_of_the_environment(monkeypatch: pytest.MonkeyPatch, text: str, level: str) -> None:
    monkeypatch.setenv("PYPTO_VERIFY_LEVEL", text)
    assert passes.get_default_verification_level() is passes.VerificationLevel[level]
    assert passes.PassContext([]).get_verification_level() is passes.VerificationLevel[level]


@pytest.mark.parametrize(
    ("text", "phase"), [("none", "NONE"), ("post_pipeline", "POST_PIPELINE"), ("x", "PRE_PIPELINE")]
)
def test_phase_of_the_environment(monkeypatch: pytest.MonkeyPatch, text: str, phase: str) -> None:
    monkeypatch.setenv("PYPTO_WARNING_LEVEL", text)
    assert passes.get_default_diagnostic_phase() is passes.DiagnosticPhase[phase]


def test_a_verifier_of_the_callers_own(good, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    class Quiet:
        def get_name(self) -> str:
            return "Quiet"

        def verify(self, program: object, diagnostics: list[object]) -> None:
            diagnostics.append(program)

    monkeypatch.setattr("pypto_lsp.verifiers.property_registry._OWN", {})
    passes.PropertyVerifierRegistry.register(passes.IRProperty.VectorKernelSplit, Quiet)
    props = passes.IRPropertySet([passes.IRProperty.VectorKernelSplit])
    assert passes.PropertyVerifierRegistry.verify(props, good) == [good]


def test_parse_refuses() -> None:
    with pytest.raises(passes.Error, match=r"^InvalidOperationError: .*\[<string>:8:\d+\]$"):
        passes.parse(GOOD.replace("pl.add(x, x)", "pl.add(x, x, extra=1)"))
    with pytest.raises(ValueError, match="nothing"):
        passes.parse("import pypto.language as pl\n")


def test_checks() -> None:
    span = next(iter(passes.parse(GOOD).functions.values())).span
    with pytest.raises(ValueError, match=r"^no$"):
        passes.check(False, "no")
    with pytest.raises(ValueError, match=r"^no \[<string>:7:5\]$"):
        passes.check_span(False, "no", span)
    with pytest.raises(passes.InternalError, match=r"^no \[<string>:7:5\]$") as caught:
        passes.internal_check_span(False, "no", span)
    assert isinstance(caught.value, RuntimeError)
    assert not isinstance(caught.value, passes.Error)
    with pytest.raises(passes.InternalError, match=r"^no$"):
        passes.raise_internal_error_with_span("no", None)
    passes.check(True, "yes")
    passes.internal_check(True, "yes")


def test_context_keeps_type_and_origin() -> None:
    def origin() -> None:
        raise IndexError("inner")

    with pytest.raises(IndexError, match=r"^inner \(with context\)$") as caught:
        try:
            origin()
        except IndexError as error:
            rethrow_with_message(error, f"{error} (with context)")
    assert any(entry.name == "origin" for entry in caught.traceback)


def test_backtraces(monkeypatch: pytest.MonkeyPatch) -> None:
    def text(kind: type[Exception]) -> str:
        try:
            raise kind("broken")
        except Exception as error:
            return full_message(error)

    monkeypatch.delenv("PTO_BACKTRACE", raising=False)
    assert text(ValueError) == "broken"
    assert "Backtrace:" in text(passes.InternalError)
    monkeypatch.setenv("PTO_BACKTRACE", "1")
    assert "Backtrace:" in text(ValueError)


#: the constructors that the document of the passes names, of those that are modelled
MODELLED = (
    passes.inline_functions, passes.unroll_loops, passes.ctrl_flow_transform, passes.convert_to_ssa, passes.simplify,
    passes.normalize_stmt_structure, passes.flatten_call_expr, passes.outline_hierarchy_scopes,
    passes.outline_incore_scopes, passes.outline_cluster_scopes, passes.convert_tensor_to_tile_ops,
    passes.flatten_tile_nd_to_2d, passes.auto_tile_matmul_l0, passes.infer_tile_memory_space,
    passes.lower_auto_vector_split, passes.expand_mixed_kernel,
    passes.normalize_return_order,
    passes.lower_pipeline_loops, passes.canonicalize_io_order, passes.init_mem_ref, passes.allocate_memory_addr,
)  # fmt: skip
REGION = """import pypto.language as pl


@pl.program
class Region:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            o = pl.assemble(o, pl.exp(pl.mul(x, 2.0)), [0, 0])
        return o
"""


def test_every_modelled_pass_is_an_object() -> None:
    manager = passes.PassManager.get_strategy(passes.OptimizationStrategy.Default)
    assert [make().get_name() for make in MODELLED] == manager.pass_names
    for pass_ in manager.passes:
        assert passes.PASS_PROPERTIES[pass_.get_name()] == pass_.properties


def test_the_default_strategy_lowers_and_verifies() -> None:
    program = passes.PassManager.get_strategy().run_passes(passes.parse(REGION))
    kernel = program.functions["main_incore_0"]
    assert (kernel.func_type, kernel.level) == ("AIV", "AIV")
    assert program.functions["main"].func_type == "Orchestration"


def test_passes_can_be_chosen_one_by_one() -> None:
    pipeline = passes.PassPipeline([passes.convert_to_ssa(), passes.flatten_call_expr()])
    props = passes.IRPropertySet([passes.IRProperty.SSAForm, passes.IRProperty.NoNestedCalls])
    before = passes.parse(REGION)
    assert passes.PropertyVerifierRegistry.verify(props, before) != []
    assert passes.PropertyVerifierRegistry.verify(props, pipeline.run(before)) == []


@pytest.mark.parametrize("mode", [passes.VerificationMode.BEFORE, passes.VerificationMode.AFTER])
def test_what_the_passes_require_and_make_holds(mode: passes.VerificationMode) -> None:
    chosen = passes.PassManager.get_strategy().passes[:11]
    with passes.PassContext([passes.VerificationInstrument(mode)]):
        passes.PassPipeline(chosen).run(passes.parse(REGION))


def test_dumps_have_the_names_of_the_compilers(tmp_path: Path) -> None:
    manager = passes.PassManager.get_strategy()
    with pytest.raises(ValueError, match="output_dir"):
        manager.run_passes(passes.parse(REGION), dump_ir=True)
    manager.run_passes(passes.parse(REGION), dump_ir=True, output_dir=str(tmp_path))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == "00_frontend.py"
    assert "09_after_OutlineIncoreScopes.py" in names and "32_after_InitMemRef.py" in names
    again = passes.parse((tmp_path / "11_after_ConvertTensorToTileOps.py").read_text(encoding="utf-8"))
    assert passes.structural_equal(again, passes.PassPipeline(manager.passes[:11]).run(passes.parse(REGION)))


def test_a_round_trip_after_each_pass() -> None:
    with passes.PassContext([], verification_level=passes.VerificationLevel.ROUNDTRIP):
        passes.PassManager.get_strategy().run_passes(passes.parse(REGION))


def test_a_program_that_reads_back_different_is_refused() -> None:
    def unprintable(program: passes.Program) -> passes.Program:
        (function,) = program.functions.values()
        wrong = replace(function, attrs={"split": "NO_SUCH_MODE"})
        return replace(program, functions={function.name: wrong})

    pipeline = passes.PassPipeline([passes.Pass("Breaks", unprintable)])
    refused = pytest.raises(passes.RoundTripError, match="after 'Breaks'")
    with passes.PassContext([], verification_level=passes.VerificationLevel.ROUNDTRIP), refused as caught:
        pipeline.run(passes.parse(GOOD))
    assert isinstance(caught.value, passes.Error)
    with passes.PassContext([], verification_level=passes.VerificationLevel.BASIC):
        pipeline.run(passes.parse(GOOD))


def test_spans_stay_those_of_the_source() -> None:
    source = passes.parse(REGION, "region.py")
    program = passes.PassManager.get_strategy().run_passes(source)
    body = program.functions["main_incore_0"].body
    spans = [stmt.span for stmt in body if stmt.span is not None]
    assert {span.path for span in spans} == {"region.py"}
    assert any(span.text.startswith("o = pl.assemble(") for span in spans)
