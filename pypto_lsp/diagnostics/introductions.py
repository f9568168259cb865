"""When names of the language came to be, for workspaces that are pinned to an earlier day.

The table holds operators and forms of today with the day of the commit that brought them, as the public history of the language
shows it. A name is left out wherever an operator of that name, in whatever namespace, existed earlier: what is not certain is
not said.
"""

from __future__ import annotations

import re

_INTRODUCED = """
    2026-02-24
        pl.fillpad pl.tensor.fillpad pl.tile.fillpad
    2026-02-26
        pl.addsc pl.and_ pl.lrelu pl.not_ pl.or_ pl.row_expand pl.sels pl.subsc pl.tensor.and_ pl.tensor.not_
        pl.tensor.or_ pl.tensor.row_expand pl.tile.addsc pl.tile.and_ pl.tile.lrelu pl.tile.not_ pl.tile.or_
        pl.tile.row_expand pl.tile.sels pl.tile.subsc
    2026-03-04
        pl.unroll
    2026-03-06
        pl.slice pl.tensor.slice pl.tile.slice
    2026-03-07
        pl.aic_initialize_pipe pl.aiv_initialize_pipe pl.import_peer_buffer pl.reserve_buffer
        pl.system.aic_initialize_pipe pl.system.aiv_initialize_pipe pl.system.import_peer_buffer
        pl.system.reserve_buffer pl.system.tpop_from_aic pl.system.tpop_from_aiv pl.system.tpush_to_aic
        pl.system.tpush_to_aiv pl.tile.tpop_from_aic pl.tile.tpop_from_aiv pl.tile.tpush_to_aic pl.tile.tpush_to_aiv
        pl.tpop_from_aic pl.tpop_from_aiv pl.tpush_to_aic pl.tpush_to_aiv
    2026-03-08
        pl.cluster
    2026-03-09
        pl.tensor.write pl.tile.write pl.write
    2026-03-10
        pl.system.tfree_to_aic pl.system.tfree_to_aiv pl.tfree_to_aic pl.tfree_to_aiv
    2026-03-11
        pl.static_assert pl.static_print
    2026-03-17
        pl.at
    2026-03-19
        pl.concat pl.tensor.concat pl.tile.concat
    2026-03-25
        pl.scatter_update pl.tensor.scatter_update pl.tile.scatter_update
    2026-03-31
        pl.get_subblock_idx pl.tensor.get_subblock_idx pl.tile.get_subblock_idx
    2026-04-07
        pl.tile.gather_mask
    2026-04-10
        pl.tile.fillpad_inplace
    2026-04-13
        pl.set_validshape pl.tensor.set_validshape pl.tile.set_validshape
    2026-04-15
        pl.get_block_num pl.split pl.spmd pl.tensor.get_block_num pl.tile.get_block_num
    2026-04-17
        pl.expand_clone pl.tensor.expand_clone
    2026-04-20
        pl.pipeline
    2026-04-25
        pl.arange pl.tensor.arange pl.tile.arange
    2026-04-29
        pl.tile.batch_matmul_acc
    2026-05-08
        pl.manual_scope pl.maximums pl.minimums pl.no_dep pl.tensor.no_dep pl.tile.maximums pl.tile.minimums
    2026-05-11
        pl.cos pl.sin pl.tensor.cos pl.tensor.sin pl.tile.cos pl.tile.sin
    2026-05-12
        pl.array.get_element pl.array.update_element pl.tile.gather_compare
    2026-05-13
        pld.alloc_window_buffer pld.system.world_size pld.tensor.alloc_window_buffer pld.tensor.window pld.window
        pld.world_size
    2026-05-14
        pld.remote_load pld.tile.remote_load
    2026-05-15
        pl.submit
    2026-05-20
        pld.get_comm_ctx pld.nranks pld.rank pld.system.get_comm_ctx pld.system.nranks pld.system.rank
    2026-05-21
        pl.prefetch.wait pld.system.notify pld.system.wait
    2026-05-22
        pld.tensor.put pld.tile.put
    2026-05-26
        pl.tile.scatter_mask pld.tensor.get pld.tile.get
    2026-05-29
        pl.scope
    2026-05-30
        pld.remote_store pld.tensor.remote_store pld.tile.remote_store
    2026-06-02
        pl.col_expand_add pl.tensor.col_expand_add pl.tile.col_expand_add
    2026-06-03
        pl.dump_tag pl.spmd_submit pl.tensor.dump_tag
    2026-06-15
        pld.tensor.allreduce
    2026-06-17
        pl.gather_row pl.paged_gather pl.tensor.gather_row pl.tensor.paged_gather pl.tile.gather_row
    2026-06-18
        pl.create_l1 pl.tensor.create_l1 pl.tile.transpose_view
    2026-06-23
        pl.col_expand_expdif pl.col_expand_max pl.col_expand_min pl.col_prod pl.row_expand_expdif pl.row_expand_max
        pl.row_expand_min pl.row_prod pl.tensor.col_expand_expdif pl.tensor.col_expand_max pl.tensor.col_expand_min
        pl.tensor.col_prod pl.tensor.row_expand_expdif pl.tensor.row_expand_max pl.tensor.row_expand_min
        pl.tensor.row_prod pl.tile.col_expand_expdif pl.tile.col_expand_max pl.tile.col_expand_min pl.tile.col_prod
        pl.tile.row_expand_expdif pl.tile.row_expand_max pl.tile.row_expand_min pl.tile.row_prod
    2026-06-24
        pl.part_add pl.part_max pl.part_min pl.part_mul pl.tensor.part_add pl.tensor.part_max pl.tensor.part_min
        pl.tensor.part_mul pl.tile.part_add pl.tile.part_max pl.tile.part_min pl.tile.part_mul
    2026-06-27
        pl.fmod pl.fmods pl.tensor.fmod pl.tensor.fmods pl.tile.fmod pl.tile.fmods pld.tensor.allgather
        pld.tensor.barrier pld.tensor.broadcast pld.tensor.reduce_scatter
    2026-06-29
        pl.aic_gather pl.aiv_shard pl.col_argmax pl.col_argmin pl.fillpad_expand pl.row_argmax pl.row_argmin
        pl.split_aiv pl.system.syncall pl.tensor.col_argmax pl.tensor.col_argmin pl.tensor.fillpad_expand
        pl.tensor.row_argmax pl.tensor.row_argmin pl.tile.aic_gather pl.tile.aiv_shard pl.tile.col_argmax
        pl.tile.col_argmin pl.tile.fillpad_expand pl.tile.row_argmax pl.tile.row_argmin
    2026-07-01
        pl.random pl.tensor.random pl.tile.random
    2026-07-08
        pld.tensor.all_to_all
    2026-07-14
        pl.system.fence
    2026-07-16
        pl.system.cacheinvalid
    2026-07-21
        pl.system.set_ffts pl.system.sync_set pl.system.sync_wait
    2026-07-23
        pl.reinterpret_view pl.tensor.reinterpret_view pl.tile.reinterpret_view
    2026-07-27
        pl.cross_core_slot pl.system.available_aiv_count pl.system.available_cluster_count
    2026-07-30
        pl.prefetch.async_prefetch pl.prefetch.make_context pl.prefetch.session
    2026-07-31
        pld.tensor.all_to_all_v
    2026-08-05
        pl.tile.tri pl.tri
    2026-08-12
        pl.func_attr
    2026-08-18
        pld.system.defer_wait
"""


def _days() -> dict[str, str]:
    day, found = "", {}
    for word in _INTRODUCED.split():
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", word):
            day = word
        else:
            found[word] = day
    return found


#: path -> the day from which on it is part of the language (ISO 8601)
INTRODUCED = _days()
#: namespaces -> the day they came to be
NAMESPACES = {"pl.tile": "2026-03-06", "pl.array": "2026-05-12", "pl.prefetch": "2026-07-30"}


def introduced(path: str) -> str | None:
    """The day a dotted path came to be; None where that is not certain."""
    space = path.rpartition(".")[0]
    days = [day for day in (INTRODUCED.get(path), NAMESPACES.get(space)) if day is not None]
    return max(days, default=None)
