import assert from "node:assert/strict";
import { test } from "node:test";

import { candidates, missingServerMessage, Probe, resolveLaunch } from "../src/interpreter";
import { probeInterpreter } from "../src/probe";

const none = { command: [], interpreter: "" };
const has =
  (...installed: string[]): Probe =>
  async (interpreter) =>
    installed.includes(interpreter) ? "0.1.0" : undefined;

test("a command in the settings is taken as it is, and nothing is probed", async () => {
  const probe: Probe = async () => assert.fail("probed");
  const launch = await resolveLaunch({ command: ["uvx", "pypto-lsp", "serve"], interpreter: "" }, "/env/python", "linux", probe);
  assert.deepEqual([launch?.command, launch?.args], ["uvx", ["pypto-lsp", "serve"]]);
});

test("the interpreter of the settings comes before the active environment", async () => {
  const settings = { command: [], interpreter: "/mine/python" };
  const launch = await resolveLaunch(settings, "/env/python", "linux", has("/mine/python", "/env/python"));
  assert.equal(launch?.command, "/mine/python");
  assert.deepEqual(launch?.args, ["-m", "pypto_lsp", "serve"]);
});

test("an environment without the server is passed over", async () => {
  const launch = await resolveLaunch(none, "/env/python", "linux", has("python3"));
  assert.equal(launch?.command, "python3");
  assert.equal(launch?.origin, "the PATH");
});

test("no interpreter has the server", async () => {
  assert.equal(await resolveLaunch(none, undefined, "linux", has()), undefined);
  assert.match(missingServerMessage(none), /pip install pypto-lsp/);
  assert.match(missingServerMessage({ command: [], interpreter: "/mine/python" }), /\/mine\/python/);
});

test("no interpreter is tried twice; Windows has its launcher", () => {
  const names = candidates({ command: [], interpreter: "python3" }, "python3", "linux").map((c) => c.interpreter);
  assert.deepEqual(names, ["python3", "python"]);
  assert.equal(candidates(none, undefined, "win32")[0]?.interpreter, "py");
});

test("probing something that is no interpreter gives nothing", async () => {
  assert.equal(await probeInterpreter("/no/such/interpreter"), undefined);
});
