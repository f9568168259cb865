"""Operators between cores, devices and tasks."""

from __future__ import annotations

import pytest
from operator_calls import M, N, call, fault, result, scalar, tensor, tile, window

from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.types import ArrayType, HandleType
from pypto_lsp.ops.registry import OpContext

FP32, INT32 = DTYPES["FP32"], DTYPES["INT32"]
ROWS, COLUMNS = OpContext(split_region="UP_DOWN"), OpContext(split_region="LEFT_RIGHT")
ACC = tile(16, 32, memory="Acc")


# --- split regions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "context", "printed"),
    [
        ("pl.aiv_shard", ROWS, "pl.Tile[[8, 32], pl.FP32, pl.Mem.Vec]"),
        ("pl.aiv_shard", COLUMNS, "pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec]"),
        ("pl.aic_gather", ROWS, "pl.Tile[[32, 32], pl.FP32, pl.Mem.Mat]"),
    ],
)
def test_a_region_halves_or_joins_along_its_axis(path, context, printed):
    assert result(path, ACC, context=context) == printed


def test_an_odd_extent_is_halved_upwards():
    assert result("pl.aiv_shard", tile(15, 32), context=ROWS) == "pl.Tile[[8, 32], pl.FP32, pl.Mem.Vec]"


def test_outside_of_a_region_the_split_is_given_and_inside_it_is_not():
    assert result("pl.aiv_shard", ACC, split=1) == "pl.Tile[[8, 32], pl.FP32, pl.Mem.Vec]"
    for finding in (
        fault("pl.aiv_shard", ACC),
        fault("pl.aiv_shard", ACC, split=1, context=ROWS),
        fault("pl.aiv_shard", context=ROWS),
        fault("pl.aiv_shard", ACC, mode=1, context=ROWS),
    ):
        assert finding.rule_name == "ParserSyntaxError"


def test_partly_valid_columns_do_not_cross_a_column_split():
    narrow = tile(16, 32, valid=(16, 20))
    assert fault("pl.aiv_shard", narrow, context=COLUMNS).error_code == 2316
    assert call("pl.aiv_shard", narrow, context=ROWS)[1] == []
    assert fault("pl.aiv_shard", tile(16, 32, valid=(N, 20)), context=ROWS).error_code == 2316


def test_a_popped_tile_has_the_type_given_or_none_yet():
    assert result("pl.tpop_from_aic", shape=[16, 32], dtype=FP32) == "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]"
    assert result("pl.tpop_from_aiv", shape=[16, 32], dtype=FP32) == "pl.Tile[[16, 32], pl.FP32, pl.Mem.Mat]"
    assert result("pl.tpop_from_aic") == "pl.UnknownType"
    assert fault("pl.tpop_from_aic", dtype=FP32).error_code == 2324


def test_integer_attributes_are_strict():
    assert result("pl.tpush_to_aiv", ACC, split=0) == "pl.UnknownType"
    for value in (None, True, "a"):
        assert fault("pl.tpush_to_aiv", ACC, split=value).facts["parameter"] == "split"


# --- synchronisation and tasks -------------------------------------------------------------------------------------


def test_the_soft_barrier_needs_a_workspace_and_the_number_of_cores():
    workspace = tensor(256, dtype="INT32")
    assert result("pl.system.syncall") == "pl.UnknownType"
    assert result("pl.system.syncall", mode="soft", gm_workspace=workspace, used_cores=4) == "pl.UnknownType"
    assert fault("pl.system.syncall", mode="soft", gm_workspace=workspace).error_code == 2324
    assert fault("pl.system.syncall", gm_workspace=workspace).error_code == 2324
    assert fault("pl.system.syncall", mode="soft", gm_workspace=workspace, used_cores=N).error_code == 2307


def test_an_event_is_a_constant_by_keyword_or_an_index_scalar():
    pipe = EnumMember("PipeType", "V")
    assert result("pl.system.sync_set", N, pipe=pipe) == "pl.UnknownType"
    assert result("pl.system.sync_wait", event_id=13, pipe=pipe) == "pl.UnknownType"
    assert fault("pl.system.sync_set", event_id=14, pipe=pipe).error_code == 2314
    assert fault("pl.system.sync_set", M, pipe=pipe).error_code == 2307


def test_a_dummy_task_waits_for_task_ids():
    task = scalar("TASK_ID")
    assert result("pl.system.task_dummy", deps=[task, ArrayType(DTYPES["TASK_ID"], 4)]) == "pl.Scalar[pl.TASK_ID]"
    finding = fault("pl.system.task_dummy", deps=[task, N])
    assert (finding.rule_name, finding.error_code) == ("ParserTypeError", 2321)
    assert fault("pl.system.task_dummy", [task]).rule_name == "InvalidOperationError"


def test_arrays_hold_integers_flags_and_task_ids():
    assert result("pl.array.create", 8, INT32) == "pl.Array[8, pl.INT32]"
    assert fault("pl.array.create", 8, FP32).error_code == 2307
    assert fault("pl.array.create", N, INT32).error_code == 2315
    array = ArrayType(INT32, 8)
    assert result("pl.array.update_element", array, 0, N) == "pl.Array[8, pl.INT32]"
    assert fault("pl.array.update_element", array, 0, scalar("INT64")).error_code == 2308


def test_a_prefetch_reads_a_named_flat_tensor():
    context = HandleType("pl.PrefetchAsyncContext")
    assert result("pl.prefetch.async_prefetch", tensor(1, 32), context) == "pl.AsyncEvent"
    assert fault("pl.prefetch.async_prefetch", tensor(64, 32), context).error_code == 2314
    assert fault("pl.prefetch.async_prefetch", tensor(1, 32), HandleType("pl.AsyncEvent")).error_code == 2306


# --- devices -------------------------------------------------------------------------------------------------------


def test_a_window_is_a_distributed_tensor_over_a_buffer():
    pointer = HandleType("pl.Ptr")
    printed = "pld.DistributedTensor[[64, 32], pl.FP32]"
    assert result("pld.window", pointer, [64, 32], dtype=FP32) == printed
    assert fault("pld.window", window(64, 32), [64, 32], dtype=FP32).error_code == 2306


def test_a_buffer_takes_bytes_or_extents_with_an_element_type():
    assert result("pld.alloc_window_buffer", 8192) == "pl.Ptr"
    assert result("pld.alloc_window_buffer", [64, 32], dtype=FP32) == "pl.Ptr"
    for args, keywords in (([[64, 32]], {}), ([8192], {"dtype": FP32}), ([[0, 32]], {"dtype": FP32})):
        assert fault("pld.alloc_window_buffer", *args, **keywords).rule_name == "ParserSyntaxError"


def test_the_world_is_known_to_the_host_only():
    assert result("pld.world_size", context=OpContext(level="HOST")) == "pl.Scalar[pl.INT64]"
    assert fault("pld.world_size").rule_name == "ParserSyntaxError"


def test_whole_transfers_need_equal_extents_and_parts_stay_inside():
    g, x = window(64, 32), tensor(64, 32)
    assert result("pld.tensor.put", g, N, x) == "pl.UnknownType"
    assert fault("pld.tensor.put", g, N, tensor(8, 32)).error_code == 2310
    assert result("pld.tensor.put", g, N, tensor(8, 32), [0, 0], [0, 0], [8, 32]) == "pl.UnknownType"
    finding = fault("pld.tensor.put", g, N, x, [60, 0], [0, 0], [16, 32])
    assert (finding.error_code, finding.facts["parameter"]) == (2311, "dst_offsets")
    assert fault("pld.tensor.put", g, N, x, [0, 0]).error_code == 2324


def test_a_run_time_extent_needs_a_chunk():
    g, x = window(64, 32), tensor(64, 32)
    part = ([0, 0], [0, 0], [N, 32])
    assert fault("pld.tensor.get", x, N, g, *part).error_code == 2324
    assert result("pld.tensor.get", x, N, g, *part, chunk_rows=16) == "pl.UnknownType"


def test_a_remote_load_carries_no_memory_space_yet():
    assert result("pld.remote_load", window(64, 32), N, [0, 0], [16, 32]) == "pl.Tile[[16, 32], pl.FP32]"
    clamped = result("pld.remote_load", window(64, 32), N, [0, 0], [16, 32], valid_shape=[N, 32])
    assert clamped is not None and "pl.min(n, pl.const(16, pl.INDEX))" in clamped


def test_collectives_signal_in_int32():
    g, signal = window(64, 32), window(8, 1, dtype="INT32")
    assert result("pld.tensor.allreduce", g, signal) == "pld.DistributedTensor[[64, 32], pl.FP32]"
    assert fault("pld.tensor.allreduce", g, window(8, 1)).facts["parameter"] == "signal"
    assert fault("pld.tensor.allreduce", g, mode="ring").error_code == 2324
    assert fault("pld.tensor.reduce_scatter", window(64), signal).error_code == 2309


def test_exchanges_go_between_two_buffers():
    signal, send, receive = window(8, 1, dtype="INT32"), tensor(8, 32), window(8, 32)
    assert result("pld.tensor.all_to_all", send, receive, signal) == "pld.DistributedTensor[[8, 32], pl.FP32]"
    assert fault("pld.tensor.all_to_all", tensor(8, 16), receive, signal).error_code == 2310
