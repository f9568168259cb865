"""Factories whose defaults nobody uses: the callers are found in classes, lambdas, tables and decorators, or hand the factory on."""

import functools

import harness
import pypto.language as pl
import pytest


def in_a_method(cols=100):
    @pl.program
    class InAMethod:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return InAMethod


class TestMethods:
    COLS = 128

    def build(self, cols):
        return in_a_method(cols)

    def test_build(self):
        harness.run(self.build(128))


def by_lambda(cols=100):
    @pl.program
    class ByLambda:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return ByLambda


harness.run(lambda: by_lambda(128))


def by_partial(cols=100):
    @pl.program
    class ByPartial:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return ByPartial


harness.run(functools.partial(by_partial, cols=128))


def by_another_name(cols=100):
    @pl.program
    class ByAnotherName:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return ByAnotherName


other_name = by_another_name


def test_other_name():
    harness.run(other_name(128))


def in_a_table(cols=100):
    @pl.program
    class InATable:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return InATable


BUILDERS = {"table": in_a_table}


@pytest.mark.parametrize("name", ["table"])
def test_table(name):
    harness.run(BUILDERS[name](128))


def in_a_decorator(cols=100):
    @pl.program
    class InADecorator:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return InADecorator


@pytest.mark.parametrize("build", [in_a_decorator])
def test_decorator(build):
    harness.run(build(128))


@harness.register(cols=128)
def registered(cols=100):
    @pl.program
    class Registered:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Registered


def spread(rows=64, cols=100):
    @pl.program
    class Spread:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Spread


def test_spread(shape):
    harness.run(spread(*shape))


def through_another(cols):
    @pl.program
    class ThroughAnother:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return ThroughAnother


def another(cols=100):
    return through_another(cols)


def test_another():
    harness.run(another(128))


def nested(rows=64):
    def inner(cols=100):
        @pl.program
        class Inner:
            @pl.function
            def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
                with pl.at(level=pl.Level.CORE_GROUP):
                    part = pl.create_tensor([64, cols], dtype=pl.FP32)
                    b = pl.add(part, a)
                return b

        return Inner

    return inner(rows * 2)


class Suite:
    def method(self, cols=100):
        @pl.program
        class Method:
            @pl.function
            def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
                with pl.at(level=pl.Level.CORE_GROUP):
                    part = pl.create_tensor([64, cols], dtype=pl.FP32)
                    b = pl.add(part, a)
                return b

        return Method

    def test(self):
        harness.run(self.method(128))


def refused(cols=100):
    if cols % 128:
        raise ValueError(cols)

    @pl.program
    class Refused:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Refused


def test_refused():
    with pytest.raises(ValueError):
        refused(100)
    harness.run(refused(128))
