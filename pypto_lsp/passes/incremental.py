"""The passes of one document from run to run: a run makes again only what an edit reaches, all else are the same objects.

Who has no pipeline to continue makes one of his own; it then keeps the programs of that run, so that several rules can ask for the
same kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import bodies
from pypto_lsp.passes.convert_to_ssa import TooLarge, ssa_steps
from pypto_lsp.passes.inline_functions import InlineMemo, inline_steps
from pypto_lsp.passes.outline_incore_scopes import Kernel, kernels
from pypto_lsp.passes.regions import Regions
from pypto_lsp.passes.reuse import Table
from pypto_lsp.passes.ssa_memo import SsaMemo
from pypto_lsp.passes.tile_kernels import TileKernel, lowered

_T = TypeVar("_T")
#: complete runs without some of the programs of before, as while a kernel cannot be read, that forget nothing
_PATIENCE = 16


class _Conversion:
    """What is kept of one function from one conversion to the next."""

    def __init__(self, *, continued: bool) -> None:
        self.function: ir.Function | None = None
        self.kernels: tuple[Kernel, ...] = ()
        self._ssa = SsaMemo() if continued else None
        self._regions = Regions()
        self._tables: tuple[Table[Any], ...] = (
            *(self._ssa.tables if self._ssa is not None else ()),
            *self._regions.tables,
        )

    @property
    def size(self) -> int:
        return sum(len(table) for table in self._tables)

    def forget(self) -> None:
        """Forget what the next conversion would use."""
        for table in self._tables:
            table.clear()

    def steps(self, function: ir.Function) -> Iterator[None]:
        """Find the function's kernels."""
        for table in self._tables:
            table.begin_run()
        if self._ssa is not None:
            self._ssa.follow()
        found: list[Kernel] = []
        try:
            converted = yield from ssa_steps(function, self._ssa, self._regions)
            for kernel in kernels(converted, self._regions):
                found.append(kernel)
                yield
        except TooLarge:  # such a function has no kernels that are looked at
            found = []
        for table in self._tables:
            table.end_run()
        self.function, self.kernels = function, tuple(found)


class Pipeline:
    """``continued``: there are further runs, for which is kept what this one makes."""

    def __init__(self, *, continued: bool = False) -> None:
        self._continued = continued
        #: a run is going on, and is to be the last for a while
        self._running = self._last = False
        self._inlined = InlineMemo(statements=continued)
        #: program and function, by name, and how many of these names came before -> what its conversion keeps
        self._conversions: Table[_Conversion] = Table()
        #: kernel, target -> itself before and on tiles
        self._lowered: Table[tuple[Kernel, TileKernel]] = Table()
        #: function or statement with bodies, what was asked -> itself with the answer
        self._facts: Table[tuple[object, Any]] = Table()
        self._programs: set[str] = set()
        self._incomplete = 0
        # of this run
        self._follows = False
        self._expanded: dict[int, tuple[ir.Program, ir.Program]] = {}
        self._kernels: dict[tuple[int, str], tuple[ir.Program, tuple[TileKernel, ...]]] = {}
        self._converted: dict[int, tuple[ir.Function, tuple[Kernel, ...]]] = {}
        self._names: dict[tuple[str, str], int] = {}

    def _forget(self) -> None:
        for conversion in self._conversions.entries():
            conversion.forget()
        for table in self._tables():
            table.clear()

    # --- runs --------------------------------------------------------------------------------------------------

    def begin_run(self) -> None:
        """Forget what an earlier run has found that was given up."""
        self._forget_run()
        self._running, self._last = True, False
        for table in self._tables():
            table.begin_run()
        self._follows = False

    def end_run(self) -> None:
        """Forget what this run has not used, unless it lacks programs that there were."""
        names = {program.name for program, _ in self._expanded.values()}
        self._incomplete = self._incomplete + 1 if self._programs - names else 0
        whole = self._incomplete in (0, _PATIENCE)
        if whole:
            self._programs, self._incomplete = names, 0
        before = tuple(self._conversions.entries())
        for table in self._tables():
            table.end_run(whole=whole)
        kept = {id(conversion) for conversion in self._conversions.entries()}
        for conversion in before:
            if id(conversion) not in kept:
                conversion.forget()
        self._programs |= names
        self._forget_run()
        self._running = False
        if self._last:
            self._forget()

    def rest(self) -> None:
        """There will be no runs for a while: forget what the next one would find again, now or at the end of the one in work."""
        self._last = self._running
        if not self._running:
            self._forget()

    @property
    def size(self) -> int:
        """How many entries are kept for the next run."""
        kept = sum(len(table) for table in self._tables())
        return kept + sum(conversion.size for conversion in self._conversions.entries())

    def _forget_run(self) -> None:
        for found in (self._expanded, self._kernels, self._converted, self._names):
            found.clear()

    def _tables(self) -> Iterator[Table[Any]]:
        yield from (*self._inlined.tables, self._conversions, self._lowered, self._facts)

    # --- programs ----------------------------------------------------------------------------------------------

    def expanded(self, program: ir.Program) -> ir.Program:
        """The program with its calls of Inline functions expanded."""
        for _ in self._expand(program):
            pass
        return self._expanded[id(program)][1]

    def _expand(self, program: ir.Program) -> Iterator[None]:
        if id(program) not in self._expanded:
            if not self._follows:
                self._inlined.follow()
                self._follows = True
            expanded = yield from inline_steps(program, self._inlined)
            self._expanded[id(program)] = (program, expanded)

    def kernels(self, program: ir.Program, backend: Backend) -> tuple[TileKernel, ...]:
        """The kernels of a program on tiles. A function that grows beyond reason gives none."""
        for _ in self.steps(program, backend):
            pass
        return self._kernels[id(program), backend.alias][1]

    def steps(self, program: ir.Program, backend: Backend) -> Iterator[None]:
        """Lower the kernels of a program one by one, for whoever has other things to do in between; :meth:`kernels` has them
        at hand afterwards."""
        key = (id(program), backend.alias)
        if key in self._kernels:
            return
        found: list[TileKernel] = []
        yield from self._expand(program)
        for function in self.expanded(program).functions.values():
            if function.body is None:
                continue
            yield from self._convert(program, function)
            for kernel in self._converted[id(function)][1]:
                found.append(self._on_tiles(kernel, backend.alias))
                yield
        self._kernels[key] = (program, tuple(found))

    def _convert(self, program: ir.Program, function: ir.Function) -> Iterator[None]:
        """Find the kernels of a function, which several programs may have."""
        if id(function) in self._converted:
            return
        name = (program.name, function.name)
        number = self._names[name] = self._names.get(name, 0) + 1
        conversion = self._conversions.find((*name, number)) if self._continued else None
        if conversion is None:
            conversion = _Conversion(continued=self._continued)
        if conversion.function is not function:
            yield from conversion.steps(function)
        self._conversions.keep((*name, number), conversion)
        self._converted[id(function)] = (function, conversion.kernels)

    def _on_tiles(self, kernel: Kernel, arch: str) -> TileKernel:
        key = (id(kernel), arch)
        known = self._lowered.find(key)
        if known is None or known[0] is not kernel:
            known = (kernel, lowered(kernel, arch))
        self._lowered.keep(key, known)
        return known[1]

    # --- facts about functions and statements ------------------------------------------------------------------

    def of_function(self, find: Callable[[ir.Function], _T], function: ir.Function) -> _T:
        """What ``find`` finds in a function, found once."""
        return self._fact(function, find, lambda: find(function))

    def collected(self, find: Callable[[ir.Stmt], tuple[_T, ...]], body: ir.Body) -> list[_T]:
        """What ``find`` finds in statements without their bodies, of all statements of a body, in order, in each once."""
        found: list[_T] = []
        for stmt in body:
            found += self._fact(stmt, find, partial(self._in_statement, find, stmt)) if bodies(stmt) else find(stmt)
        return found

    def _in_statement(self, find: Callable[[ir.Stmt], tuple[_T, ...]], stmt: ir.Stmt) -> tuple[_T, ...]:
        return (*find(stmt), *(found for nested in bodies(stmt) for found in self.collected(find, nested)))

    def _fact(self, subject: object, find: object, make: Callable[[], _T]) -> _T:
        key = (find, id(subject))
        known = self._facts.find(key)
        if known is None or known[0] is not subject:
            known = (subject, make())
        self._facts.keep(key, known)
        return known[1]


__all__ = ["Pipeline"]
