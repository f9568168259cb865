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
DIM_MISSING_ANNOTATION = fault(
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
