"""Faults of with-scopes, pl.spmd and pl.split_aiv (codes 2110-2154)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

AT_POSITIONAL = fault(
    2110,
    "ParserSyntaxError",
    "too many positional arguments of pl.at",
    "pl.at takes a level and a role by position, everything else by keyword",
    "Further arguments have names: name_hint, deps, optimizations and so on.",
)
AT_NO_LEVEL = fault(
    2111,
    "ParserSyntaxError",
    "pl.at without a level",
    "pl.at needs a level",
    "The level says on which part of the machine the region runs.",
    example='with pl.at(name_hint="mid"):',
    instead='with pl.at(level=pl.Level.CORE_GROUP, name_hint="mid"):',
)
GIVEN_TWICE = fault(
    2112,
    "ParserSyntaxError",
    "argument given twice",
    "'{keyword}' of {callee} is given twice",
    "An argument is given once, by position or by keyword.",
)
NOT_A_BOOL = fault(
    2113,
    "ParserSyntaxError",
    "flag that is no bool literal",
    "{keyword} of {callee} is True or False, written out",
    "The flag is read from the source.",
    example="sync_start=flag",
    instead="sync_start=True",
)
STAR_KEYWORDS = fault(
    2114,
    "ParserSyntaxError",
    "unpacked keywords",
    "{callee} takes no ** argument: write the keywords out",
    "The keywords are read from the source.",
)
SCOPE_KEYWORD = fault(
    2115,
    "ParserSyntaxError",
    "unknown keyword of a scope",
    "{callee} has no keyword '{keyword}'{advice}",
    "Each scope has a closed list of keywords.",
    example='with pl.at(level=pl.Level.CORE_GROUP, name="mid"):',
    instead='with pl.at(level=pl.Level.CORE_GROUP, name_hint="mid"):',
)
OPTIMIZATIONS_FORM = fault(
    2116,
    "ParserSyntaxError",
    "optimizations that is no list",
    "optimizations of {callee} is a list literal",
    "The entries are read from the source.",
)
OPTIMIZATION_TWICE = fault(
    2117,
    "ParserSyntaxError",
    "optimization given twice",
    "{what} is given twice",
    "The list has at most one pl.split and one pl.cross_core_slot.",
)
OPTIMIZATION_ENTRY = fault(
    2118,
    "ParserSyntaxError",
    "unsupported optimization",
    "'{entry}' is no optimization of {callee}",
    "The entries are pl.split(pl.SplitMode.X) and pl.cross_core_slot(slot_num=N).",
    example="optimizations=[pl.auto_chunk]",
    instead="optimizations=[pl.split(pl.SplitMode.UP_DOWN)]",
)
SPLIT_ARGUMENTS = fault(
    2119,
    "ParserSyntaxError",
    "wrong arguments of pl.split",
    "pl.split takes one split mode{what}",
    "Write pl.split(pl.SplitMode.UP_DOWN).",
)
SLOT_ARGUMENTS = fault(
    2120,
    "ParserSyntaxError",
    "wrong slot count",
    "{what}",
    "Write pl.cross_core_slot(slot_num=4), with a positive integer literal.",
)
HINT_KIND = fault(
    2121,
    "ParserSyntaxError",
    "name_hint that is no string literal",
    "name_hint is a string literal",
    "The hint becomes part of the kernel's name, so it is read from the source.",
)
HINT_NAME = fault(
    2122,
    "ParserSyntaxError",
    "name_hint that is no identifier",
    "'{hint}' cannot become part of a kernel's name",
    "The hint must be a valid identifier and no keyword of Python.",
    example='name_hint="mid block"',
    instead='name_hint="mid_block"',
)
SCOPE_POSITIONAL = fault(
    2123,
    "ParserSyntaxError",
    "positional argument of a scope without any",
    "{callee} takes {allowed}",
    "pl.scope takes mode= only, pl.cluster name_hint= only, pl.manual_scope nothing.",
    example="with pl.scope(pl.ScopeMode.MANUAL):",
    instead="with pl.scope(mode=pl.ScopeMode.MANUAL):",
)
MANUAL_IN_MANUAL = fault(
    2124,
    "ParserSyntaxError",
    "manual scope inside a manual scope",
    "this scope lies in a manual scope already",
    "Manual scopes are not nested: one scope orders everything in it by its dependencies.",
)
AUTO_SCOPE_OWNED = fault(
    2125,
    "ParserSyntaxError",
    "automatic scope placed by hand",
    "pl.scope() is placed by hand only in a function with auto_scope=False",
    "By default the compiler places the automatic scopes of a function itself.",
    example="with pl.scope():",
    instead="with pl.manual_scope():",
)
AUTO_IN_MANUAL = fault(
    2126,
    "ParserSyntaxError",
    "automatic scope inside a manual scope",
    "an automatic scope cannot lie in a manual one",
    "The run-time system does not track dependencies inside a manual scope.",
)
CORE_NUM_KIND = fault(
    2127,
    "ParserSyntaxError",
    "core count that is no integer",
    "core_num is an integer, this is {found}",
    "The number of blocks is an integer scalar or constant.",
)
CORE_NUM_RANGE = fault(
    2128,
    "ParserSyntaxError",
    "core count below one",
    "core_num must be at least 1, this is {value}",
    "A launch has at least one block.",
)
CORE_NUM_MISSING = fault(
    2129,
    "ParserSyntaxError",
    "missing core count",
    "{callee} needs the number of blocks",
    "Write it as the first argument of pl.spmd, as core_num= of pl.spmd_submit.",
    example="with pl.spmd():",
    instead="with pl.spmd(2):",
)
SPMD_DEPS = fault(
    2130,
    "ParserSyntaxError",
    "deps= on pl.spmd without a task id",
    "deps= is possible only on `with pl.spmd(...) as tid:`",
    "Explicit dependencies belong to a launch whose task id is captured.",
)
SPMD_POSITIONAL = fault(
    2131,
    "ParserSyntaxError",
    "too many positional arguments of pl.spmd",
    "pl.spmd takes the number of blocks by position, everything else by keyword",
    "Further arguments have names: sync_start, name_hint and so on.",
)
CLUSTER_METADATA = fault(
    2132,
    "ParserSyntaxError",
    "launch option inside pl.cluster",
    "{what} has no effect inside pl.cluster, which is launched as one task",
    "Put the option on the launch around the cluster.",
)
CARRIER_OPTIMIZATIONS = fault(
    2133,
    "ParserSyntaxError",
    "optimizations on pl.spmd around a pl.at",
    "the optimizations belong to the pl.at inside",
    "A body that is one pl.at region carries its own optimizations.",
)
SPMD_UNIFORM = fault(
    2134,
    "ParserSyntaxError",
    "pl.spmd whose blocks all do the same",
    "the body neither asks for its block index nor calls a kernel, so every block would do the same work",
    "Read pl.tile.get_block_idx(), call one kernel, or use `for i in pl.spmd(n):`.",
    example="with pl.spmd(4):\n    t = pl.add(x, y)",
    instead="for i in pl.spmd(4):\n    t = pl.slice(x, [16, 64], [i * 16, 0])",
)
SPMD_DISPATCHES = fault(
    2135,
    "ParserSyntaxError",
    "pl.spmd that calls several kernels",
    "the body calls {count} kernels; one launch calls one",
    "Use one pl.spmd for each kernel.",
)
AS_TARGET = fault(
    2136,
    "ParserSyntaxError",
    "task id bound to something other than a name",
    "the task id is bound to one plain name",
    "A region has one task id.",
    example="with pl.at(level=pl.Level.CORE_GROUP) as (a, b):",
    instead="with pl.at(level=pl.Level.CORE_GROUP) as tid:",
)
AS_ELSEWHERE = fault(
    2137,
    "ParserSyntaxError",
    "task id of a scope that has none",
    "{callee} gives no task id: only pl.at and pl.spmd do",
    "The task id is that of the kernel a region becomes.",
)
SCOPE_LOOP_TARGET = fault(
    2138,
    "ParserSyntaxError",
    "loop target that is no name",
    "{callee} binds one name",
    "The name stands for the index of the block or lane.",
)
SCOPE_LOOP_KEYWORD = fault(
    2139,
    "ParserSyntaxError",
    "keyword of a sequential loop",
    "{callee} is a launch, not a loop: it takes no '{keyword}'",
    "Carried values, attributes, steps and stages belong to pl.range and its kin.",
)
SPLIT_NESTED = fault(
    2140,
    "ParserSyntaxError",
    "pl.split_aiv inside pl.split_aiv",
    "this region lies in a pl.split_aiv region already",
    "The two vector lanes are split once.",
)
SPLIT_TWICE = fault(
    2141,
    "ParserSyntaxError",
    "two ways of splitting in one region",
    "the region is split by pl.split and by pl.split_aiv; one of them must go",
    "optimizations=[pl.split(...)] lets the compiler split the region, pl.split_aiv splits it by hand.",
)
SPLIT_COUNT = fault(
    2142,
    "ParserSyntaxError",
    "pl.split_aiv with another count than 2",
    "pl.split_aiv takes the number of lanes, which is 2",
    "A core has two vector lanes.",
)
SPLIT_NO_MODE = fault(
    2143,
    "ParserSyntaxError",
    "pl.split_aiv without a mode",
    "pl.split_aiv needs mode=",
    "pl.SplitMode.NONE runs different tasks on the lanes, UP_DOWN and LEFT_RIGHT halve the data.",
    example="for lane in pl.split_aiv(2):",
    instead="for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):",
)
OPTIMIZATIONS_LEVEL = fault(
    2144,
    "ParserSyntaxError",
    "optimizations off the core group",
    "optimizations belong to level=pl.Level.CORE_GROUP",
    "Splits and slots concern the cores of one group.",
)
ROLE_ON_CORE_GROUP = fault(
    2145,
    "ParserSyntaxError",
    "role on a core group",
    "a CORE_GROUP region has no role",
    "Roles distinguish the functions of the higher levels.",
)
INLINE_SUB_WORKER = fault(
    2146,
    "ParserSyntaxError",
    "sub-worker written in place",
    "a sub-worker of this level is a function of its own",
    "Declare it with @pl.function(level=..., role=pl.Role.SubWorker).",
)
TENSOR_LIST_FORM = fault(
    2147,
    "ParserTypeError",
    "list of tensors expected",
    "{keyword} is a list of tensor names",
    "The names are read from the source.",
)
TENSOR_LIST_ENTRY = fault(
    2148,
    "ParserTypeError",
    "entry that is no name",
    "an entry of {keyword} is the plain name of a tensor",
    "Expressions have no variable that could be marked.",
)
TENSOR_LIST_UNKNOWN = fault(
    2149,
    "ParserTypeError",
    "unknown name in a list of tensors",
    "'{name}' is not defined{advice}",
    "Each entry names a tensor that was bound before the scope.",
)
TENSOR_LIST_KIND = fault(
    2150,
    "ParserTypeError",
    "entry that is no tensor",
    "'{name}' is a {kind}: {keyword} takes tensors",
    "Only tensors take part in dependencies and dumps.",
)
TENSOR_LIST_TWICE = fault(
    2151,
    "ParserTypeError",
    "tensor listed twice",
    "'{name}' is listed twice",
    "Each tensor appears once.",
)
SEVERAL_ITEMS = fault(
    2152,
    "ParserSyntaxError",
    "several context managers in one with",
    "a with statement opens one scope",
    "Nest the scopes.",
)
CONTEXT_MANAGER = fault(
    2153,
    "UnsupportedFeatureError",
    "with over something that is no scope",
    "'{text}' is no scope of the language{advice}",
    "The scopes are pl.at, pl.spmd, pl.cluster, pl.scope and pl.manual_scope.",
    example="with pl.incore():",
    instead="with pl.at(level=pl.Level.CORE_GROUP):",
)
ENUM_MEMBER = fault(
    2154,
    "ParserSyntaxError",
    "unknown member",
    "'{text}' is no member of pl.{enum}: {members}",
    "The value is written as pl.{enum}.MEMBER.",
)
