"""Properties of the IR, what each pass of the compiler requires, makes and breaks, and the order of its passes.

All of it is data (reference: the compiler's pass property table and its pass manager's default strategy).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import PurePath


class IRProperty(Enum):
    """What can hold of a program. The value is the property's name."""

    SSAForm = "SSAForm"
    TypeChecked = "TypeChecked"
    NoNestedCalls = "NoNestedCalls"
    NormalizedStmtStructure = "NormalizedStmtStructure"
    NoRedundantBlocks = "NoRedundantBlocks"
    SplitIncoreOrch = "SplitIncoreOrch"
    ClusterOutlined = "ClusterOutlined"
    HierarchyOutlined = "HierarchyOutlined"
    HasMemRefs = "HasMemRefs"
    IncoreTileOps = "IncoreTileOps"
    MixedKernelExpanded = "MixedKernelExpanded"
    AivSplitValid = "AivSplitValid"
    AllocatedMemoryAddr = "AllocatedMemoryAddr"
    TileOps2D = "TileOps2D"
    TileMemoryInferred = "TileMemoryInferred"
    BreakContinueValid = "BreakContinueValid"
    UseAfterDef = "UseAfterDef"
    StructuredCtrlFlow = "StructuredCtrlFlow"
    VectorKernelSplit = "VectorKernelSplit"
    OutParamNotShadowed = "OutParamNotShadowed"
    ArrayNotEscaped = "ArrayNotEscaped"
    NoNestedInCore = "NoNestedInCore"
    InOutUseValid = "InOutUseValid"
    PipelineLoopValid = "PipelineLoopValid"
    ManualDepsOnSubmitOnly = "ManualDepsOnSubmitOnly"
    PipelineResolved = "PipelineResolved"
    UnrollResolved = "UnrollResolved"
    IterArgCarryClassified = "IterArgCarryClassified"
    CallDirectionsResolved = "CallDirectionsResolved"
    TileTypeCoherence = "TileTypeCoherence"
    AccToGmStoreValid = "AccToGmStoreValid"
    AtomicAddDtypeValid = "AtomicAddDtypeValid"
    InlineFunctionsEliminated = "InlineFunctionsEliminated"
    OrchestrationReferencesResolved = "OrchestrationReferencesResolved"
    RuntimeScopesMaterialized = "RuntimeScopesMaterialized"
    TensorViewCanonical = "TensorViewCanonical"
    CommDomainScopesMaterialized = "CommDomainScopesMaterialized"
    DistTensorCtxMaterialized = "DistTensorCtxMaterialized"
    AssignTypeSymmetry = "AssignTypeSymmetry"
    ReturnParamsExplicit = "ReturnParamsExplicit"
    HardSyncallOccupancyValid = "HardSyncallOccupancyValid"


_ORDER = {prop: index for index, prop in enumerate(IRProperty)}


class IRPropertySet:
    """A set of properties that can be changed; iterates in the order of :class:`IRProperty`."""

    __slots__ = ("_members",)

    def __init__(self, members: Iterable[IRProperty] = ()) -> None:
        self._members = set(members)

    def insert(self, prop: IRProperty) -> None:
        self._members.add(prop)

    def remove(self, prop: IRProperty) -> None:
        """Take a property out; nothing happens when it is not in."""
        self._members.discard(prop)

    def contains(self, prop: IRProperty) -> bool:
        return prop in self._members

    def contains_all(self, other: IRPropertySet) -> bool:
        return other._members <= self._members

    def union_with(self, other: IRPropertySet) -> IRPropertySet:
        return IRPropertySet(self._members | other._members)

    def intersection(self, other: IRPropertySet) -> IRPropertySet:
        return IRPropertySet(self._members & other._members)

    def difference(self, other: IRPropertySet) -> IRPropertySet:
        return IRPropertySet(self._members - other._members)

    def empty(self) -> bool:
        return not self._members

    def to_list(self) -> list[IRProperty]:
        return sorted(self._members, key=_ORDER.__getitem__)

    def __contains__(self, prop: object) -> bool:
        return prop in self._members

    def __iter__(self) -> Iterator[IRProperty]:
        return iter(self.to_list())

    def __len__(self) -> int:
        return len(self._members)

    def __bool__(self) -> bool:
        return bool(self._members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IRPropertySet) and self._members == other._members

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "{" + ", ".join(prop.name for prop in self) + "}"

    __repr__ = __str__


def _named(names: str) -> IRPropertySet:
    return IRPropertySet(IRProperty[name] for name in names.split())


#: always true of a program, whatever the pass
_STRUCTURAL = (
    "TypeChecked BreakContinueValid NoRedundantBlocks UseAfterDef OutParamNotShadowed NoNestedInCore InOutUseValid "
    "PipelineLoopValid ArrayNotEscaped ManualDepsOnSubmitOnly AtomicAddDtypeValid"
)
#: what a compile really verifies
_VERIFIED = (
    "SSAForm TypeChecked MixedKernelExpanded AllocatedMemoryAddr BreakContinueValid NoRedundantBlocks InOutUseValid "
    "CallDirectionsResolved ManualDepsOnSubmitOnly ReturnParamsExplicit AivSplitValid TileMemoryInferred "
    "HardSyncallOccupancyValid IterArgCarryClassified RuntimeScopesMaterialized DistTensorCtxMaterialized "
    "AccToGmStoreValid AtomicAddDtypeValid"
)
#: what the stand-alone verifier pass looks at
_DEFAULT = (
    "SSAForm TypeChecked NoNestedCalls BreakContinueValid NoRedundantBlocks UseAfterDef OutParamNotShadowed "
    "NoNestedInCore TileTypeCoherence ArrayNotEscaped"
)


def get_structural_properties() -> IRPropertySet:
    """The properties that hold of every program, before and after each pass."""
    return _named(_STRUCTURAL)


def get_verified_properties() -> IRPropertySet:
    """The properties that a compile verifies where they arise."""
    return _named(_VERIFIED)


def get_default_verify_properties() -> IRPropertySet:
    """The properties that :func:`~pypto_lsp.verifiers.run_verifier` verifies by default."""
    return _named(_DEFAULT)


@dataclass(frozen=True, slots=True)
class PassProperties:
    """What a pass requires of a program, what holds after it, and what it breaks."""

    required: frozenset[IRProperty] = frozenset()
    produced: frozenset[IRProperty] = frozenset()
    invalidated: frozenset[IRProperty] = frozenset()


_SHORT = {
    "SSA": "SSAForm", "Norm": "NormalizedStmtStructure", "Split": "SplitIncoreOrch", "Tile": "IncoreTileOps",
    "2D": "TileOps2D", "Mem": "TileMemoryInferred", "Dirs": "CallDirectionsResolved", "Refs": "HasMemRefs",
    "Comm": "CommDomainScopesMaterialized",
}  # fmt: skip
_SIX = "SSA Split Tile 2D Mem Norm"
_PLACED = "Split Tile Refs 2D Norm"

#: the passes in order: name, required, produced, invalidated
_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("InlineFunctions", "", "InlineFunctionsEliminated", ""),
    ("UnrollLoops", "", "UnrollResolved", ""),
    ("CtrlFlowTransform", "", "StructuredCtrlFlow", ""),
    ("ConvertToSSA", "", "SSA", "Norm"),
    ("Simplify", "", "", ""),
    ("NormalizeStmtStructure", "", "Norm", ""),
    ("FlattenCallExpr", "SSA Norm", "SSA NoNestedCalls Norm", ""),
    ("OutlineHierarchyScopes", "SSA", "SSA HierarchyOutlined OrchestrationReferencesResolved", ""),
    ("OutlineIncoreScopes", "SSA", "SSA Split AivSplitValid", ""),
    ("OutlineClusterScopes", "SSA", "SSA ClusterOutlined", ""),
    ("ConvertTensorToTileOps", "SSA Split Norm", "SSA Tile Norm AivSplitValid", "AivSplitValid"),
    ("OptimizeOrchTensors", "Split Tile", "Split Tile", ""),
    ("LowerCompositeOps", "", "", ""),
    ("FlattenTileNdTo2D", "SSA Tile Norm", "SSA 2D Norm", ""),
    ("LegalizeTileCast", "", "", ""),
    ("AutoTileMatmulL0", "SSA Split Tile 2D Norm", "SSA Split Tile 2D Norm", ""),
    ("CanonicalizeTileSlice", "SSA Split Tile 2D Norm", "SSA Split Tile 2D Norm", ""),
    (
        "InferTileMemorySpace", "SSA Tile Split Norm", "SSA Mem Norm AivSplitValid AccToGmStoreValid", "AivSplitValid",
    ),
    ("InsertMxScaleAddr", "SSA Tile Split Norm Mem", "SSA Tile Split Norm Mem", ""),
    ("ResolveBackendOpLayouts", "SSA Tile Split 2D", "SSA Tile Split 2D Norm", ""),
    ("LowerAutoVectorSplit", f"{_SIX} AivSplitValid", _SIX, "AivSplitValid"),
    ("ExpandMixedKernel", _SIX, "SSA MixedKernelExpanded Norm HardSyncallOccupancyValid", ""),
    ("InjectGMPipeBuffer", "SSA MixedKernelExpanded Norm", "SSA MixedKernelExpanded Norm", ""),
    ("SplitVectorKernel", "SSA MixedKernelExpanded", "SSA VectorKernelSplit Norm", ""),
    ("StampTfreeSplit", "Split", "", ""),
    ("NormalizeReturnOrder", "Split Tile", "ReturnParamsExplicit", ""),
    ("SkewCrossCorePipeline", _SIX, _SIX, ""),
    ("LowerPipelineToSlots", _SIX, _SIX, ""),
    ("LowerPipelineLoops", _SIX, _SIX, ""),
    ("CanonicalizeIOOrder", _SIX, f"{_SIX} PipelineResolved", ""),
    ("MaterializeTensorStrides", _SIX, f"{_SIX} TensorViewCanonical", ""),
    ("InitMemRef", "SSA Split Tile 2D Mem", "Refs Norm", "SSA"),
    ("MaterializeSemanticAliases", _PLACED, "Norm", ""),
    ("MemoryReuse", _PLACED, "Norm", ""),
    ("AllocateMemoryAddr", "Split Tile Refs 2D", "AllocatedMemoryAddr", ""),
    ("FoldNoOpReshape", "Split Tile Refs 2D", "", ""),
    ("FuseCreateAssembleToSlice", "Split", "", ""),
    ("DeriveCallDirections", "Split", "Dirs", ""),
    ("AutoDeriveTaskDependencies", "Split Dirs", "Dirs", ""),
    ("ExpandManualPhaseFence", "NoNestedCalls Norm Dirs", "NoNestedCalls Norm Dirs", ""),
    ("SynthesizeAllReduceSignals", "", "", ""),
    ("MaterializeCommDomainScopes", "", "Comm", ""),
    ("LowerHostTensorCollectives", "Comm", "Comm", ""),
    ("MaterializeDistTensorCtx", "Comm ReturnParamsExplicit", "Comm DistTensorCtxMaterialized", ""),
    ("Simplify", "", "", ""),
    ("MaterializeRuntimeScopes", "Split Dirs", "RuntimeScopesMaterialized", ""),
    (
        "ClassifyIterArgCarry", "Dirs RuntimeScopesMaterialized", "IterArgCarryClassified RuntimeScopesMaterialized", "",
    ),
    ("InsertCommFence", "Split", "", ""),
    ("MaterializeValidShapeSymbols", "", "", ""),
)  # fmt: skip


def _frozen(names: str) -> frozenset[IRProperty]:
    return frozenset(IRProperty[_SHORT.get(name, name)] for name in names.split())


#: pass -> its properties
PASS_PROPERTIES: dict[str, PassProperties] = {
    name: PassProperties(_frozen(required), _frozen(produced), _frozen(invalidated))
    for name, required, produced, invalidated in _TABLE
}
#: the default strategy: names of passes in the order in which they run
DEFAULT_PIPELINE: tuple[str, ...] = tuple(row[0] for row in _TABLE)


@dataclass(frozen=True, slots=True)
class Stage:
    """A point of the default pipeline: after its first ``passes`` passes. ``name`` is the last one's, ``frontend`` for 0."""

    passes: int
    name: str

    def properties(self) -> IRPropertySet:
        """What holds there: the structural properties and what the passes so far have made and not broken again."""
        return IRPropertySet(_holding(self.passes))


@cache
def _holding(passes: int) -> frozenset[IRProperty]:
    held = set(get_structural_properties())
    for name in DEFAULT_PIPELINE[:passes]:
        properties = PASS_PROPERTIES[name]
        held -= properties.invalidated
        held |= properties.produced
    return frozenset(held)


FRONTEND = Stage(0, "frontend")
_FILE_NAME = re.compile(r"(\d+)_(?:after_(\w+)|frontend)\.py")


def stage_after(name: str, number: int | None = None) -> Stage | None:
    """The stage after a pass; ``number`` (counted from 1) tells passes apart that run twice, else the first is meant."""
    if number is not None and 0 < number <= len(DEFAULT_PIPELINE) and DEFAULT_PIPELINE[number - 1] == name:
        return Stage(number, name)
    return Stage(DEFAULT_PIPELINE.index(name) + 1, name) if name in DEFAULT_PIPELINE else None


def stage_of_file(path: str) -> Stage | None:
    """The stage of a dump by its file name (``NN_after_Pass.py``, ``00_frontend.py``); None when the name does not say."""
    match = _FILE_NAME.fullmatch(PurePath(path).name)
    if match is None:
        return None
    return FRONTEND if match[2] is None else stage_after(match[2], int(match[1]))


__all__ = [
    "DEFAULT_PIPELINE",
    "FRONTEND",
    "PASS_PROPERTIES",
    "IRProperty",
    "IRPropertySet",
    "PassProperties",
    "Stage",
    "get_default_verify_properties",
    "get_structural_properties",
    "get_verified_properties",
    "stage_after",
    "stage_of_file",
]
