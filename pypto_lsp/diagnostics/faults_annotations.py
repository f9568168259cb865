"""Faults of type annotations: parameters, results and annotated locals (codes 2201-2299)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

TYPE = "ParserTypeError"

TUPLE_PARAMETER = fault(
    2201, TYPE, "Tuple as a parameter",
    "A parameter cannot have a tuple type",
    "A kernel takes tensors, tiles, scalars and arrays one by one; tuple types describe results only.",
    example="def k(p: tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]): ...",
    instead="def k(p: pl.Scalar[pl.INDEX], q: pl.Scalar[pl.INDEX]): ...",
)  # fmt: skip
INOUT_SCALAR = fault(
    2202, TYPE, "Scalar that is read and written",
    "A scalar parameter cannot be `pl.InOut`",
    "A scalar is passed by value, so writing it would have no effect for the caller. Pass it as an input, or use a "
    "tensor "
    "of one element for a value that comes back.",
    example="n: pl.InOut[pl.Scalar[pl.INT32]]", instead="n: pl.Scalar[pl.INT32]",
)  # fmt: skip
INCOMPLETE_TYPE = fault(
    2203, TYPE, "Type without its parts",
    "`{type}` needs {parts} here",
    "Outside of `@pl.jit` kernels nothing else gives the shape and element type, so the annotation has to.",
    example="x: pl.Tensor", instead="x: pl.Tensor[[64, 128], pl.FP32]",
)  # fmt: skip
UNSUPPORTED_TYPE = fault(
    2204, TYPE, "Not a type of the language",
    "`{text}` is not a type of the language",
    "Values in a kernel are `pl.Tensor`, `pl.Tile`, `pl.Scalar`, `pl.Array`, `pl.Tuple` or an opaque handle; "
    "Python's own types "
    "have no meaning on the device.",
    example="n: int", instead="n: pl.Scalar[pl.INDEX]",
)  # fmt: skip
UNKNOWN_TYPE = fault(
    2205, TYPE, "Unknown type name",
    "There is no type `{text}`",
    "The types that take parts in brackets are `pl.Tensor`, `pl.Tile`, `pl.Scalar`, `pl.Array`, `pl.Tuple` and "
    "`pld.DistributedTensor`.",
    example="w: pl.Matrix[[64, 64], pl.FP32]", instead="w: pl.Tensor[[64, 64], pl.FP32]",
)  # fmt: skip
UNKNOWN_CONSTRUCTOR = fault(
    2206, TYPE, "Call that makes no type",
    "`{text}` makes no type",
    "In the older call form only `pl.Tensor(...)`, `pl.Tile(...)`, `pl.Scalar(...)` and `pl.Tuple([...])` stand for "
    "a type.",
    example="w: pl.Array(4, pl.INT32)", instead="w: pl.Array[4, pl.INT32]",
)  # fmt: skip
ARRAY_PARTS = fault(
    2207, TYPE, "Array without extent and element type",
    "`pl.Array` needs an extent and an element type",
    "An array is a small row of scalars on the core: `pl.Array[extent, dtype]`.",
    example="ids: pl.Array[4]", instead="ids: pl.Array[4, pl.TASK_ID]",
)  # fmt: skip
ARRAY_EXTENT = fault(
    2208, TYPE, "Array extent that is not constant",
    "The extent of a `pl.Array` must be an integer constant",
    "The array lives on the core's stack, so its size has to be known when the kernel is compiled.",
    example="ids: pl.Array[n, pl.INT32]", instead="ids: pl.Array[8, pl.INT32]",
)  # fmt: skip
TYPE_PARTS = fault(
    2209, TYPE, "Wrong number of parts in a type",
    "`{type}` takes {expected}, not {count}",
    "A tensor type has a shape, an element type, and perhaps a layout or view and a memory reference; a tile type "
    "has a shape, an "
    "element type, and perhaps a memory space, a view and a memory reference.",
    example="t: pl.Tile[[32, 256]]", instead="t: pl.Tile[[32, 256], pl.FP32]",
)  # fmt: skip
FOURTH_PART = fault(
    2210, TYPE, "Fourth part of a tensor type",
    "The fourth part of a tensor type must be a `pl.MemRef(...)`",
    "Layout or view come third, the memory reference last.",
    example="w: pl.Tensor[[64, 64], pl.FP32, pl.NZ, pl.NZ]", instead="w: pl.Tensor[[64, 64], pl.FP32, pl.NZ]",
)  # fmt: skip
TILE_TWO_MEMREFS = fault(
    2211, TYPE, "Tile with two allocations",
    "A tile type takes one memory reference",
    "A tile lies in one allocation.",
    example='t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a"), pl.MemRef("b"), pl.Mem.Vec]',
    instead='t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a"), pl.Mem.Vec]',
)  # fmt: skip
TILE_TWO_VIEWS = fault(
    2212, TYPE, "Tile with two views",
    "A tile type takes one `pl.TileView(...)`",
    "Put all fields into one view.",
    example="t: pl.Tile[[8, 8], pl.FP32, pl.TileView(pad=pl.PadValue.zero), pl.TileView(fractal=512)]",
    instead="t: pl.Tile[[8, 8], pl.FP32, pl.TileView(pad=pl.PadValue.zero, fractal=512)]",
)  # fmt: skip
TILE_TWO_SPACES = fault(
    2213, TYPE, "Tile with two memory spaces",
    "A tile type takes one memory space",
    "A tile lies in one on-chip memory; moving it to another is `pl.move`.",
    example="t: pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec, pl.Mem.Mat]", instead="t: pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec]",
)  # fmt: skip
TILE_LAYOUT = fault(
    2214, TYPE, "Tensor layout in a tile type",
    "A tile type takes no tensor layout",
    "Layouts such as `pl.NZ` describe global memory. A tile's layout follows from its memory space, or from a "
    "`pl.TileView(blayout=..., slayout=...)`.",
    example="t: pl.Tile[[8, 8], pl.FP32, pl.NZ]", instead="t: pl.Tile[[8, 8], pl.FP32, pl.Mem.Mat]",
)  # fmt: skip
TILE_PART = fault(
    2215, TYPE, "Unknown part of a tile type",
    "`{text}` is no part of a tile type",
    "After shape and element type a tile type takes a memory space, a `pl.TileView(...)` and a memory reference, in "
    "any order.",
    example="t: pl.Tile[[8, 8], pl.FP32, 2]", instead="t: pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec]",
)  # fmt: skip
MEMREF_WITHOUT_SPACE = fault(
    2216, TYPE, "Allocation without a memory space",
    "A tile type with a memory reference must name its memory space too",
    "The allocation's size and address follow from the tiles in it, and those from the memory they lie in.",
    example='t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a")]', instead='t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a"), pl.Mem.Vec]',
)  # fmt: skip
SLOT_OF_SINGLE = fault(
    2217, TYPE, "Slot of an allocation that has one",
    "Allocation `{name}` has a single slot, so it takes no subscript",
    "Only an allocation declared with `slots=N` is divided.",
    example='pl.MemRef("one")[0]', instead='pl.MemRef("one", slots=2)[0]',
)  # fmt: skip
SLOT_RANGE = fault(
    2218, TYPE, "Slot out of range",
    "Slot {index} does not exist: `{name}` has {slots} slots",
    "Slots count from 0.",
    example='pl.MemRef("ring", slots=2)[2]', instead='pl.MemRef("ring", slots=2)[1]',
)  # fmt: skip
ALLOCATION_ALIASED = fault(
    2219, TYPE, "Allocation under two names",
    "Allocation `{first}` is used as `{name}` too",
    "An unnamed `pl.MemRef()` is named after its variable, so a second variable would make it a second allocation. "
    "Use one variable, or "
    "give the allocation a name of its own.",
    example="a = pl.MemRef()\nb = a", instead='a = pl.MemRef("ring")\nb = a',
)  # fmt: skip
ALLOCATION_CLASH = fault(
    2220, TYPE, "Two allocations of one name",
    "Two allocations are both named `{name}`",
    "Allocations are told apart by name within a kernel.",
    example='a = pl.MemRef("ring")\nb = pl.MemRef("ring")', instead='a = pl.MemRef("ring")\nb = pl.MemRef("other")',
)  # fmt: skip
SLOTS_COUNT = fault(
    2221, TYPE, "Number of slots",
    "`slots` must be a positive integer literal, not `{text}`",
    "The allocation is divided into that many equal parts when the kernel is compiled.",
    example='pl.MemRef("ring", slots=0)', instead='pl.MemRef("ring", slots=2)',
)  # fmt: skip
NESTED_TUPLE = fault(
    2222, TYPE, "Tuple inside a tuple type",
    "Tuple types cannot be nested",
    "A kernel returns a flat row of values.",
    example="-> tuple[tuple[A, B], C]", instead="-> tuple[A, B, C]",
)  # fmt: skip
TUPLE_CALL = fault(
    2223, TYPE, "Call form of a tuple type",
    "`pl.Tuple(...)` takes one list of types",
    "The bracket form `pl.Tuple[A, B]` is the usual one.",
    example="pl.Tuple(A, B)", instead="pl.Tuple[A, B]",
)  # fmt: skip
SHAPED_CALL = fault(
    2224, TYPE, "Call form without shape and element type",
    "`{type}(...)` needs a shape and an element type",
    "The bracket form is the usual one.",
    example="pl.Tensor((64, 64))", instead="pl.Tensor[[64, 64], pl.FP32]",
)  # fmt: skip
SCALAR_CALL = fault(
    2225, TYPE, "Call form without element type",
    "`pl.Scalar(...)` needs an element type",
    "The bracket form is the usual one.",
    example="pl.Scalar()", instead="pl.Scalar[pl.INT32]",
)  # fmt: skip
UNKNOWN_SHAPE = fault(
    2226, TYPE, "Unknown shape",
    "No list named `{name}` is known here",
    "A shape is a list such as `[64, 128]`, or the name of a list that the kernel's surroundings define.",
    example="w: pl.Tensor[SHAPE, pl.FP32]", instead="w: pl.Tensor[[64, 64], pl.FP32]",
)  # fmt: skip
SHAPE_FORM = fault(
    2227, TYPE, "Shape that is no list",
    "`{text}` is no shape",
    "A shape is a list such as `[64, 128]`, or an expression that gives one.",
    example="w: pl.Tensor[f(n), pl.FP32]", instead="w: pl.Tensor[[64, 64], pl.FP32]",
)  # fmt: skip
SHAPE_VALUE = fault(
    2228, TYPE, "Shape that is no list",
    "A shape must be a list, and `{text}` is {kind}",
    "A single extent needs its brackets as well.",
    example="w: pl.Tensor[64, pl.FP32]", instead="w: pl.Tensor[[64], pl.FP32]",
)  # fmt: skip
SHAPE_ELEMENT = fault(
    2229, TYPE, "Element of a shape",
    "Element {index} of `{text}` is {kind}, not an integer or `pl.dynamic`",
    "Every extent is a whole number or a dynamic dimension.",
    example='SHAPE = [64, "K"]', instead="SHAPE = [64, 128]",
)  # fmt: skip
DIM_VALUE = fault(
    2231, TYPE, "Value of a dimension",
    "Dimension `{text}` is {kind}, not an integer or `pl.dynamic`",
    "`/` always gives a float in Python; `//` keeps an integer.",
    example="w: pl.Tensor[[K / 2, K], pl.FP32]", instead="w: pl.Tensor[[K // 2, K], pl.FP32]",
)  # fmt: skip
DIM_NOT_EVALUABLE = fault(
    2232, TYPE, "Dimension that cannot be computed",
    "Dimension `{text}` cannot be computed when the kernel is compiled",
    "A dimension is an integer, a name from the kernel's surroundings, a `pl.dynamic` symbol, a scalar variable, or "
    "arithmetic over those.",
    example="t: pl.Tile[[x.shape[0], 64], pl.FP32] = ...", instead="t: pl.Tile[[ROWS, 64], pl.FP32] = ...",
)  # fmt: skip
UNKNOWN_DIM = fault(
    2233, TYPE, "Unknown dimension name",
    "No dimension named `{name}` is known here",
    "A dimension's name is a constant of the kernel's surroundings, a `pl.dynamic` symbol, or a scalar variable "
    "defined before.",
    example="w: pl.Tensor[[ROWS, 64], pl.FP32]", instead="ROWS = 64",
)  # fmt: skip
UNKNOWN_DTYPE = fault(
    2234, TYPE, "Unknown element type",
    "There is no element type `{name}`",
    "Element types are FP4, FP8E4M3FN, FP8E5M2, FP8E8M0, FP16, FP32, BF16, HF4, HF8, INT4 to INT64, UINT4 to "
    "UINT64, BOOL, INDEX "
    "and TASK_ID.",
    example="w: pl.Tensor[[64], pl.FLOAT32]", instead="w: pl.Tensor[[64], pl.FP32]",
)  # fmt: skip
DTYPE_VALUE = fault(
    2235, TYPE, "Element type that is none",
    "`{text}` is {kind}, not an element type",
    "A name may stand for an element type, for example `DT = pl.FP32`.",
    example="DT = 32\nw: pl.Tensor[[64], DT]", instead="DT = pl.FP32\nw: pl.Tensor[[64], DT]",
)  # fmt: skip
DTYPE_FORM = fault(
    2236, TYPE, "Element type that cannot be read",
    "`{text}` is no element type",
    "Element types are written `pl.FP32`, or as a name that stands for one.",
    example='w: pl.Tensor[[64], "fp32"]', instead="w: pl.Tensor[[64], pl.FP32]",
)  # fmt: skip
LAYOUT_DN = fault(
    2238, TYPE, "DN as a bare layout",
    "A tensor type takes no bare `DN` layout",
    "Column order without a stride would mix the logical shape with the one in memory. Write the shape as it lies "
    "in memory and derive "
    "the transposed view with `pl.transpose`, or give a `pl.TensorView(stride=[...], layout=pl.TensorLayout.DN)`.",
    example="w: pl.Tensor[[64, 128], pl.FP32, pl.DN]", instead="w: pl.Tensor[[128, 64], pl.FP32]",
)  # fmt: skip
UNKNOWN_LAYOUT = fault(
    2239, TYPE, "Unknown layout",
    "There is no layout `{name}`",
    "Layouts of a tensor are ND, NZ, MX_A_ZZ and MX_B_NN; a view takes DN as well.",
    example="w: pl.Tensor[[64, 64], pl.FP32, pl.ROW]", instead="w: pl.Tensor[[64, 64], pl.FP32, pl.ND]",
)  # fmt: skip
LAYOUT_VALUE = fault(
    2240, TYPE, "Layout that is none",
    "`{text}` is {kind}, not a layout",
    "A name may stand for a layout, for example `ORDER = pl.NZ`, or for a `pl.TensorView`.",
    example="w: pl.Tensor[[64, 64], pl.FP32, 5]", instead="w: pl.Tensor[[64, 64], pl.FP32, pl.NZ]",
)  # fmt: skip
LAYOUT_FORM = fault(
    2241, TYPE, "Layout that cannot be read",
    "`{text}` is no layout",
    "The third part of a tensor type is a layout such as `pl.NZ`, a `pl.TensorView(...)` or a `pl.MemRef(...)`.",
    example="w: pl.Tensor[[64, 64], pl.FP32, 5]", instead="w: pl.Tensor[[64, 64], pl.FP32, pl.NZ]",
)  # fmt: skip
ANNOTATION_KIND = fault(
    2243, TYPE, "Annotation of another kind",
    "`{name}` is annotated as {annotated}, but the expression is {inferred}",
    "The annotation of a local has to agree with what the expression gives.",
    example="t: pl.Tensor[[64, 64], pl.FP32] = pl.load(x, [0, 0], [64, 64])",
    instead="t: pl.Tile[[64, 64], pl.FP32] = pl.load(x, [0, 0], [64, 64])",
)  # fmt: skip
ANNOTATION_RANK = fault(
    2244, TYPE, "Annotation of another rank",
    "`{name}` is annotated with {annotated} dimensions, but the expression has {inferred}",
    "The annotation of a local has to agree with what the expression gives.",
    example="t: pl.Tensor[[64], pl.FP32] = pl.row_sum(x)", instead="t: pl.Tensor[[64, 1], pl.FP32] = pl.row_sum(x)",
)  # fmt: skip
ANNOTATION_DIM = fault(
    2245, TYPE, "Annotation with another shape",
    "`{name}` is annotated with {annotated} in dimension {dimension}, but the expression has {inferred} there",
    "The annotation of a local has to agree with what the expression gives.",
    example="t: pl.Tile[[64, 32], pl.FP32] = pl.load(x, [0, 0], [64, 64])",
    instead="t: pl.Tile[[64, 64], pl.FP32] = pl.load(x, [0, 0], [64, 64])",
)  # fmt: skip
ANNOTATION_DTYPE = fault(
    2246, TYPE, "Annotation with another element type",
    "`{name}` is annotated as {annotated}, but the expression is {inferred}",
    "Only INDEX and the integer types stand for each other in annotations.",
    example="s: pl.Scalar[pl.FP16] = pl.read(x, [0, 0])", instead="s: pl.Scalar[pl.FP32] = pl.read(x, [0, 0])",
)  # fmt: skip
VIEW_POSITIONAL = fault(
    2248, TYPE, "View with positional arguments",
    "`{view}` takes keyword arguments only",
    "The fields of a view are named: valid_shape, stride, and so on.",
    example="pl.TensorView([8, 8])", instead="pl.TensorView(valid_shape=[8, 8])",
)  # fmt: skip
VIEW_KEYWORD = fault(
    2249, TYPE, "Unknown field of a view",
    "`{view}` has no field `{name}`",
    "A tensor view has valid_shape, stride, layout and pad; a tile view has valid_shape, stride, start_offset, "
    "blayout, slayout, fractal, "
    "pad and compact.",
    example="pl.TensorView(valid=[8, 8])", instead="pl.TensorView(valid_shape=[8, 8])",
)  # fmt: skip
VIEW_FRACTAL = fault(
    2250, TYPE, "Fractal size",
    "`fractal` must be an integer constant, not `{text}`",
    "It is the size of a fractal block in bytes.",
    example="pl.TileView(fractal=n)", instead="pl.TileView(fractal=512)",
)  # fmt: skip
VIEW_LIST = fault(
    2251, TYPE, "Field of a view that is no list",
    "`{field}` must be a list, not `{text}`",
    "Write the list where the view is made; a name of a list is not looked up here.",
    example="pl.TensorView(stride=(64, 1))", instead="pl.TensorView(stride=[64, 1])",
)  # fmt: skip
VIEW_NAME = fault(
    2252, TYPE, "Extent of a view",
    "`{name}` is {kind}, not an integer or `pl.dynamic`",
    "The extents of a view are integers, dynamic symbols or scalar variables.",
    example='pl.TileView(valid_shape=["8"])', instead="pl.TileView(valid_shape=[8])",
)  # fmt: skip
VIEW_YIELD = fault(
    2253, TYPE, "Yield inside a type",
    "A type cannot contain `pl.yield_`",
    "A yield ends a branch or loop body; in an annotation it would do so as a side effect.",
    example="t: pl.Tile[[8, 8], pl.FP32, pl.TileView(valid_shape=[pl.yield_(n), 8])] = ...",
    instead="t: pl.Tile[[8, 8], pl.FP32, pl.TileView(valid_shape=[n, 8])] = ...",
)  # fmt: skip
VIEW_EXPRESSION = fault(
    2254, TYPE, "Extent of a view that is no index",
    "`{text}` is {kind}, not an index expression",
    "The extents of a view are integer or index expressions.",
    example="pl.TileView(valid_shape=[x, 8])", instead="pl.TileView(valid_shape=[n, 8])",
)  # fmt: skip
UNKNOWN_MEMBER = fault(
    2256, TYPE, "Unknown value",
    "`{text}` is no value of {enum}",
    "The value has to be a member of the enum, written with its dotted path.",
    example="pl.TileView(blayout=pl.TileLayout.diag)", instead="pl.TileView(blayout=pl.TileLayout.row_major)",
)  # fmt: skip
MEMREF_PARTS = fault(
    2259, TYPE, "Arguments of a memory reference",
    "`pl.MemRef` takes a name, or base, byte offset and size; not {count} arguments",
    "`pl.MemRef(\"name\")` declares an allocation; `pl.MemRef(base, offset, size)` is the printed form of a placed "
    "one.",
    example='pl.MemRef("a", 0)', instead='pl.MemRef("a")',
)  # fmt: skip
MEMREF_NAME = fault(
    2260, TYPE, "Name of an allocation",
    "The name of an allocation must be a string literal, not `{text}`",
    "Allocations are told apart by name within a kernel.",
    example="pl.MemRef(7)", instead='pl.MemRef("seven")',
)  # fmt: skip
MEMREF_NUMBER = fault(
    2261, TYPE, "Number in a memory reference",
    "The {field} of a memory reference must be an integer, not `{text}`",
    "Offsets and sizes count bytes.",
    example='pl.MemRef("a", 0, n)', instead='pl.MemRef("a", 0, 4096)',
)  # fmt: skip
MEMREF_NEGATIVE = fault(
    2262, TYPE, "Negative number in a memory reference",
    "The {field} of a memory reference must not be negative, and is {value}",
    "Offsets and sizes count bytes.",
    example='pl.MemRef("a", 0, -1)', instead='pl.MemRef("a", 0, 4096)',
)  # fmt: skip
UNKNOWN_SPACE = fault(
    2263, TYPE, "Unknown memory space",
    "There is no memory space `{text}`",
    "Memory spaces are DDR, Vec, Mat, Left, Right, Acc, Bias, LeftScale and RightScale.",
    example="pl.Tile[[8, 8], pl.FP32, pl.Mem.Ubuf]", instead="pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec]",
)  # fmt: skip
MISSING_ANNOTATION = fault(
    2266, TYPE, "Parameter without a type",
    "Parameter `{name}` needs a type annotation",
    "The types of a kernel's parameters are its interface; nothing else tells them.",
    example="def k(x): ...", instead="def k(x: pl.Tensor[[64, 64], pl.FP32]): ...",
)  # fmt: skip
SHADOWED_SYMBOL = fault(
    2267, TYPE, "Parameter named like a dimension in use",
    "Parameter `{name}` comes after an annotation that already uses the dynamic dimension `{name}`",
    "A scalar parameter with the name of a dynamic dimension is that dimension, so it has to be declared before the "
    "first annotation that "
    "uses it.",
    example="def k(x: pl.Tensor[[M, 64], pl.FP32], M: pl.Scalar[pl.INDEX]): ...",
    instead="def k(M: pl.Scalar[pl.INDEX], x: pl.Tensor[[M, 64], pl.FP32]): ...",
)  # fmt: skip
JIT_VIEW = fault(
    2268, "TypeError", "View of a jit parameter",
    "A `@pl.jit` kernel cannot take a parameter with a `pl.TensorView`",
    "Specialisation carries a layout over to the compiled kernel, but no view. Use a plain layout, or declare the "
    "kernel with "
    "`@pl.function`.",
    example="@pl.jit\ndef k(w: pl.Tensor[[64, 64], pl.FP32, pl.TensorView(stride=[64, 1])]): ...",
    instead="@pl.jit\ndef k(w: pl.Tensor[[64, 64], pl.FP32]): ...",
)  # fmt: skip
JIT_SCALAR = fault(
    2269, "ParserSyntaxError", "Element type of a jit kernel's scalar",
    "The element type of a scalar must be written out in a `@pl.jit` kernel: `{dtype}` instead of `{text}`",
    "The compiled text of a jit kernel keeps a scalar's annotation as it is written, and knows no names but those of the language.",
    example="n: pl.Scalar[DT]", instead="n: pl.Scalar[pl.INT32]",
)  # fmt: skip
JIT_LOCAL_SYMBOL = fault(
    2270, TYPE, "Dynamic dimension in a jit kernel's local annotation",
    "A `@pl.jit` kernel cannot use the dynamic dimension `{name}` in the annotation of a local",
    "Inside the body a dynamic dimension is read from a tensor when the kernel runs, and such a read cannot stand in a type. Leave the "
    "annotation out: the expression has the type anyway.",
    example="t: pl.Tensor[[M, 64], pl.FP32] = pl.create_tensor([M, 64], dtype=pl.FP32)",
    instead="t = pl.create_tensor([M, 64], dtype=pl.FP32)",
)  # fmt: skip
ARRAY_DTYPE = fault(
    2271, "ParserSyntaxError", "Element type of an array",
    "An array holds integers, truth values or task ids, not {dtype}",
    "Arrays are scalar registers of the core. Values of other types live in tiles and tensors.",
    example="w: pl.Array[4, pl.FP32]", instead="w: pl.Array[4, pl.INT32]",
)  # fmt: skip
