import assert from "node:assert/strict";
import { test } from "node:test";

import { bytes, Kernel, memoryLines, Place, Space } from "../src/memory";

function at(line: number, uri = "file:///kernel.py"): Place {
  return { uri, range: { start: { line, character: 8 }, end: { line, character: 20 } } };
}

const vec: Space = {
  space: "Vec",
  needed: 262144,
  limit: 188416,
  ring: 65536,
  tiles: [],
  buffers: [
    { name: "y", bytes: 131072, text: "pl.exp(x)", location: at(6), lastUse: at(7) },
    { name: "z", bytes: 100, text: "", location: at(7), lastUse: at(7) },
    { name: "w", bytes: 32, text: "w", location: null, lastUse: at(7) },
  ],
};

function lines(...spaces: Space[]): ReturnType<typeof memoryLines> {
  const kernel: Kernel = { unit: "kernel", name: "kernel_incore", lane: "vector", complete: true, location: at(5), spaces };
  return memoryLines({ target: "ascend910b", kernels: [kernel, { ...kernel, complete: false }] });
}

test("a kernel has its spaces, a space its exchange and its tiles", () => {
  const [kernel] = lines(vec);
  assert.deepEqual([kernel.label, kernel.description, kernel.place], ["kernel_incore", "kernel, vector", at(5)]);
  const [space] = kernel.children;
  assert.deepEqual([space.label, space.description], ["Vec", "256 KiB of 184 KiB (139.1 %)"]);
  assert.deepEqual(
    space.children.map((tile) => [tile.label, tile.description]),
    [
      ["exchange between the cores", "64 KiB"],
      ["pl.exp(x)", "128 KiB, lines 7 to 8"],
      ["z", "100 B, line 8"],
      ["w", "32 B"],
    ],
  );
  assert.deepEqual(space.children[1].place, at(6));
});

test("what exceeds its limit is marked, but not in the accumulator", () => {
  assert.deepEqual(lines(vec).map((kernel) => [kernel.over, kernel.children[0].over])[0], [true, true]);
  assert.equal(lines({ ...vec, space: "Acc" })[0].over, false);
  assert.equal(lines({ ...vec, limit: 262144 })[0].over, false);
});

test("a kernel with tiles of unknown size says so", () => {
  assert.match(lines(vec)[1].description, /unknown size/);
});

test("whole KiB are written as such", () => {
  assert.deepEqual([512, 1024, 1536, 0].map(bytes), ["512 B", "1 KiB", "1536 B", "0 B"]);
});
