import assert from "node:assert/strict";
import { test } from "node:test";

import { address, parameters, shown, View, viewOf } from "../src/irDocument";

const view: View = { source: "file:///work%20space/kernel.py", after: "ConvertToSSA", kernel: "" };

test("a view comes back from its document's address", () => {
  assert.deepEqual(viewOf(address(view).query), view);
});

test("the tab names the file, the kernel and the pass", () => {
  assert.equal(address(view).path, "/kernel ConvertToSSA.py");
  assert.equal(address({ ...view, kernel: "main", after: "" }).path, "/kernel main ir.py");
  assert.equal(address({ ...view, source: "file:///a/scaled%20rows.py" }).path, "/scaled rows ConvertToSSA.py");
});

test("other queries are no views", () => {
  for (const query of ["", "{", "null", "[]", '{"source": "file:///a.py"}', '{"source": 1, "after": "", "kernel": ""}']) {
    assert.equal(viewOf(query), undefined);
  }
});

test("the server is asked for what was chosen only", () => {
  assert.deepEqual(parameters(view), { textDocument: { uri: view.source }, after: "ConvertToSSA" });
  assert.deepEqual(parameters({ ...view, after: "", kernel: "main" }), {
    textDocument: { uri: view.source },
    kernel: "main",
  });
});

test("the document shows the text, or says why there is none", () => {
  const known = { kernels: [], passes: [] };
  assert.equal(shown({ text: "# pypto.program: P\n", ...known }), "# pypto.program: P\n");
  assert.equal(shown({ error: "no kernel 'k'", ...known }), "# no kernel 'k'\n");
  assert.match(shown(undefined), /not running/);
});
