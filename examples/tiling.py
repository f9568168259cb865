"""Tile sizes shared by the examples."""

ROW_TILE = 32
COL_TILE = 64
