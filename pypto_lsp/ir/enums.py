"""The closed value sets of the language: memory spaces, layouts, function types, directions and their like."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

#: DSL name of each enum -> its members in order
ENUMS: dict[str, tuple[str, ...]] = {
    "MemorySpace": ("DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale"),
    "PadValue": ("null", "zero", "max", "min"),
    "TensorLayout": ("ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN"),
    "TileLayout": ("none_box", "row_major", "col_major"),
    "AtomicType": ("None_", "Add"),
    "NotifyOp": ("AtomicAdd", "Set"),
    "WaitCmp": ("Eq", "Ge"),
    "ReduceOp": ("Sum", "Max", "Min", "Prod"),
    "PipeType": ("MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"),
    "Level": (
        "AIV", "AIC", "CORE_GROUP", "CHIP_DIE", "CHIP", "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL",
        "L2CACHE", "PROCESSOR", "UMA", "NODE", "POD", "CLOS1", "CLOS2",
    ),
    "Role": ("Orchestrator", "SubWorker"),
    "FunctionType": ("Opaque", "Orchestration", "InCore", "AIC", "AIV", "Group", "Spmd", "Inline", "Graph"),
    "SplitMode": ("NONE", "UP_DOWN", "LEFT_RIGHT"),
    "ScopeMode": ("AUTO", "MANUAL"),
    "CompactMode": ("null", "normal"),
    "adir": ("input", "output", "inout", "output_existing", "no_dep", "scalar"),
}  # fmt: skip

#: function types of kernels, which run on cores
KERNEL_TYPES = ("InCore", "AIC", "AIV")

#: other spellings of an enum's name in the DSL
ENUM_ALIASES = {"Mem": "MemorySpace"}

#: Level aliases -> the level they stand for
LEVEL_ALIASES = {
    "L2CACHE": "CHIP_DIE", "PROCESSOR": "CHIP", "UMA": "CHIP", "NODE": "HOST", "POD": "CLUSTER_0",
    "CLOS1": "CLUSTER_1", "CLOS2": "CLUSTER_2",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of one of :data:`ENUMS` as a static value (``pl.MemorySpace.Vec``)."""

    enum: str
    name: str

    def __str__(self) -> str:
        return f"pl.{self.enum}.{self.name}"


def memory_space(name: str) -> EnumMember:
    """A memory space as a static value."""
    return EnumMember("MemorySpace", name)


class Direction(IntEnum):
    """Direction of a kernel's parameter."""

    IN = 0
    OUT = 1
    INOUT = 2


class ForKind(Enum):
    SEQUENTIAL = "range"
    PARALLEL = "parallel"
    UNROLL = "unroll"
    PIPELINE = "pipeline"


class Lane(Enum):
    """On which core an operation runs (``MIXED``: on both)."""

    SHARED = "shared"
    CUBE = "cube"
    VECTOR = "vector"
    MIXED = "mixed"
