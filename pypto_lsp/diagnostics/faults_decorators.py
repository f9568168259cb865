"""Faults of decorators, program classes, function attributes and external kernels (codes 2401-2499)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

SYNTAX = "ParserSyntaxError"

SUBWORKER_SELF = fault(
    2401, SYNTAX, "Host worker with self",
    "Host worker `{name}` must not take `self`",
    "A SubWorker at host level is plain Python that runs apart from the program, so it has no program to refer to.",
    example="@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\ndef prepare(self, x): ...",
    instead="@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\ndef prepare(x): ...",
)  # fmt: skip
DECORATOR_UNPACKING = fault(
    2402, SYNTAX, "Decorator with unpacked keywords",
    "The decorator of a program's function cannot unpack keywords",
    "Inside a program class the decorator is read from the text, so every keyword has to be written out.",
    example="@pl.function(**OPTS)", instead="@pl.function(type=pl.FunctionType.InCore)",
)  # fmt: skip
FUNCTION_TYPE_FORM = fault(
    2403, SYNTAX, "Value of type=",
    "`type` must be written `pl.FunctionType.<name>`, not `{text}`",
    "Inside a program class the decorator is read from the text, so the value has to be the enum member itself.",
    example='@pl.function(type="InCore")', instead="@pl.function(type=pl.FunctionType.InCore)",
)  # fmt: skip
AUTO_SCOPE_FORM = fault(
    2404, SYNTAX, "Value of auto_scope=",
    "`auto_scope` must be `True` or `False`, not `{text}`",
    "Inside a program class the decorator is read from the text.",
    example="@pl.function(auto_scope=MANUAL)", instead="@pl.function(auto_scope=False)",
)  # fmt: skip
ENUM_FORM = fault(
    2405, SYNTAX, "Value that is no enum member",
    "`{keyword}` must be written `pl.{enum}.<name>`, not `{text}`",
    "The value is read from the text, so it has to be the enum member itself.",
    example="@pl.function(level=LEVEL)", instead="@pl.function(level=pl.Level.HOST)",
)  # fmt: skip
ENUM_MEMBER = fault(
    2406, SYNTAX, "Unknown enum member",
    "`pl.{enum}` has no member `{name}`",
    "The members are listed in the language's reference.",
    example='pl.func_attr({"split": pl.SplitMode.HALF})', instead='pl.func_attr({"split": pl.SplitMode.UP_DOWN})',
)  # fmt: skip
ATTRS_FORM = fault(
    2407, SYNTAX, "Value of attrs=",
    "`attrs` must be a dict, not `{text}`",
    "Attributes are pairs of a name and a value. The newer form is `pl.func_attr({{...}})` as the first statement.",
    example='@pl.function(attrs=["hot"])', instead='@pl.function(attrs={"hot": True})',
)  # fmt: skip
ATTRS_KEY = fault(
    2408, SYNTAX, "Key of attrs=",
    "A key of `attrs` must be a string, not `{text}`",
    "Attributes are named.",
    example='@pl.function(attrs={1: True})', instead='@pl.function(attrs={"one": True})',
)  # fmt: skip
ATTRS_VALUE = fault(
    2409, SYNTAX, "Value in attrs=",
    "`{text}` cannot be an attribute's value",
    "A value is a literal or a `pl.SplitMode` member; a variable of the kernel is not known yet when the decorator "
    "runs.",
    example='@pl.function(attrs={"width": n})', instead='@pl.function(attrs={"width": 8})',
)  # fmt: skip
EMPTY_PROGRAM = fault(
    2410, SYNTAX, "Program without kernels",
    "Program `{name}` has no method decorated with `@pl.function`",
    "A program consists of its decorated methods; other methods and class attributes are ignored.",
    example="@pl.program\nclass P:\n    def k(self, ...): ...",
    instead="@pl.program\nclass P:\n    @pl.function\n    def k(self, ...): ...",
)  # fmt: skip
EXTERNAL_TYPE = fault(
    2412, "ParserTypeError", "Type of an external kernel",
    "A kernel with `external_source` must be of type AIC or AIV, not {type}",
    "An external kernel is one core's program in C++.",
    example='@pl.function(type=pl.FunctionType.InCore, external_source="k.cpp")',
    instead='@pl.function(type=pl.FunctionType.AIV, external_source="k.cpp")',
)  # fmt: skip
EXTERNAL_BODY = fault(
    2413, SYNTAX, "Body of an external kernel",
    "The body of external kernel `{name}` must be `...`",
    "Its code is the C++ source; here stands only its interface.",
    example="def k(x: T):\n    return x", instead="def k(x: T): ...",
)  # fmt: skip
FUNC_ATTR_LATE = fault(
    2420, SYNTAX, "Function attributes after other statements",
    "`pl.func_attr` must come before every other statement",
    "An attribute describes the whole function, so it stands at the top of the body, after the docstring.",
    example='t = pl.exp(x)\npl.func_attr({"tag": 1})', instead='pl.func_attr({"tag": 1})\nt = pl.exp(x)',
)  # fmt: skip
FUNC_ATTR_ARGUMENTS = fault(
    2421, SYNTAX, "Arguments of func_attr",
    "`pl.func_attr` takes exactly one dict, by position",
    "Several attributes go into one dict.",
    example='pl.func_attr({"a": 1}, {"b": 2})', instead='pl.func_attr({"a": 1, "b": 2})',
)  # fmt: skip
FUNC_ATTR_DICT = fault(
    2422, SYNTAX, "Argument of func_attr",
    "`pl.func_attr` takes a dict written out here, not `{text}`",
    "The attributes are read from the text.",
    example="pl.func_attr(ATTRS)", instead='pl.func_attr({"tag": 1})',
)  # fmt: skip
FUNC_ATTR_UNPACKING = fault(
    2423, SYNTAX, "Unpacking in func_attr",
    "The dict of `pl.func_attr` cannot unpack another one",
    "The attributes are read from the text.",
    example='pl.func_attr({**BASE})', instead='pl.func_attr({"tag": 1})',
)  # fmt: skip
FUNC_ATTR_KEY = fault(
    2424, SYNTAX, "Key in func_attr",
    "A key of `pl.func_attr` must be a string literal, not `{text}`",
    "The attributes are read from the text.",
    example="pl.func_attr({TAG: 1})", instead='pl.func_attr({"tag": 1})',
)  # fmt: skip
FUNC_ATTR_DUPLICATE = fault(
    2425, SYNTAX, "Attribute given twice",
    "Attribute `{name}` is given twice",
    "Each attribute of a function is given once, here or in the decorator.",
    example='pl.func_attr({"tag": 1, "tag": 2})', instead='pl.func_attr({"tag": 1})',
)  # fmt: skip
FUNC_ATTR_OWNED = fault(
    2426, SYNTAX, "Attribute that belongs to the decorator",
    "`{name}` is a keyword of the decorator, not an attribute",
    "It is needed before the body is read.",
    example='pl.func_attr({"auto_scope": False})', instead="@pl.function(auto_scope=False)",
)  # fmt: skip
FUNC_ATTR_VALUE = fault(
    2427, SYNTAX, "Value in func_attr",
    "`{text}` cannot be an attribute's value",
    "A value is a number, a truth value, a string, a `pl.SplitMode` member, a parameter of the function, or a list of one kind of them.",
    example='pl.func_attr({"tag": None})', instead='pl.func_attr({"tag": 8})',
)  # fmt: skip
FUNCTION_LEVEL = fault(
    2430, SYNTAX, "Level and type do not go together",
    "A function of type {type} is at level {expected}, not {level}",
    "The type implies the level; giving another is a contradiction.",
    example="@pl.function(type=pl.FunctionType.InCore, level=pl.Level.CORE_GROUP)",
    instead="@pl.function(type=pl.FunctionType.InCore)",
)  # fmt: skip
FUNCTION_ROLE = fault(
    2431, SYNTAX, "Role and type do not go together",
    "A function of type {type} has the role {expected}, not {role}",
    "The type implies the role; giving another is a contradiction.",
    example="@pl.function(type=pl.FunctionType.InCore, role=pl.Role.Orchestrator)",
    instead="@pl.function(type=pl.FunctionType.InCore)",
)  # fmt: skip
JIT_KEYWORD = fault(
    2440, "TypeError", "Keyword of a jit decorator",
    "`@pl.{decorator}` has no keyword `{name}`",
    "`auto_scope` belongs to `@pl.jit`, `@pl.jit.host` and `@pl.jit.inline`, `level` to `@pl.jit.incore`.",
    example="@pl.jit.opaque(auto_scope=False)", instead="@pl.jit.opaque",
)  # fmt: skip
EXTERN_CORE_TYPE = fault(
    2441, "ValueError", "Core type of an external kernel",
    "`core_type` must be 'aic', 'aiv' or 'mixed', not {text}",
    "It says which core runs the C++ source.",
    example='@pl.jit.extern(core_type="vector", source="k.cpp")', instead='@pl.jit.extern(core_type="aiv", source="k.cpp")',
)  # fmt: skip
EXTERN_DUAL = fault(
    2442, "ValueError", "dual_aiv_dispatch without a mixed kernel",
    "`dual_aiv_dispatch=True` needs `core_type=\"mixed\"`",
    "Only a pair of cube and vector sources has two vector lanes to dispatch to.",
    example='@pl.jit.extern(source="k.cpp", dual_aiv_dispatch=True)',
    instead='@pl.jit.extern(core_type="mixed", aic_source="c.cpp", aiv_source="v.cpp", dual_aiv_dispatch=True)',
)  # fmt: skip
EXTERN_SOURCE = fault(
    2443, "ValueError", "External kernel without its source",
    "An external kernel of core type {core_type} needs {keywords}",
    "Without a source there is nothing to compile.",
    example='@pl.jit.extern(core_type="aiv")', instead='@pl.jit.extern(core_type="aiv", source="k.cpp")',
)  # fmt: skip
EXTERN_MISSING_FILE = fault(
    2444, "ValueError", "Source file not found",
    "There is no file `{path}` beside this one",
    "A relative path starts at the folder of the file that declares the kernel.",
    example='@pl.jit.extern(source="missing.cpp")', instead='@pl.jit.extern(source="kernels/k.cpp")',
)  # fmt: skip
EXTERN_FOLDERS = fault(
    2445, "TypeError", "Folders of an external kernel",
    "`include_dirs` must be a list of paths, not `{text}`",
    "Each entry is a folder in which the C++ compiler looks for headers.",
    example='@pl.jit.extern(source="k.cpp", include_dirs="include")',
    instead='@pl.jit.extern(source="k.cpp", include_dirs=["include"])',
)  # fmt: skip
EXTERN_MISSING_FOLDER = fault(
    2446, "ValueError", "Folder not found",
    "There is no folder `{path}` beside this file",
    "A relative path starts at the folder of the file that declares the kernel.",
    example='@pl.jit.extern(source="k.cpp", include_dirs=["missing"])',
    instead='@pl.jit.extern(source="k.cpp", include_dirs=["include"])',
)  # fmt: skip
DEPENDENCY_SHAPE = fault(
    2452, "ValueError", "Argument whose shape is not known beforehand",
    "The shape of `{text}` for parameter `{param}` of `{name}` is not known when the kernel is specialised",
    "A jit kernel's tensor arguments have to be parameters, or come from `pl.create_tensor`, `pl.slice`, "
    "`pl.reshape`, `pld.window`, a "
    "subscript or another kernel's output, with shapes of literals and names; the result of an operator is not "
    "followed.",
    example="warm = pl.mul(x, 0.5)\nout = softmax(warm, out)",
    instead="warm = pl.create_tensor([64, 64], dtype=pl.FP32)\nwarm[:] = pl.mul(x, 0.5)\nout = softmax(warm, out)",
)  # fmt: skip
DIMENSION_CONFLICT = fault(
    2453, SYNTAX, "Dynamic dimension with two extents",
    "The call of `{callee}` gives its dimension `{name}` two extents, {first} and {second}",
    "A dynamic dimension of a kernel is one number in each call, so all arguments that have it must agree.",
    example="def two(self, a: pl.Tensor[[M, 64], pl.FP32], b: pl.Tensor[[M, 64], pl.FP32]): ...\nr = self.two(x64, y32)",
    instead="r = self.two(x64, y64)",
)  # fmt: skip
