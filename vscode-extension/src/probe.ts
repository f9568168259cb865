import { execFile } from "node:child_process";

/** The version of the server that an interpreter has installed; undefined when it has none or does not run. */
export function probeInterpreter(interpreter: string, timeoutMs = 10_000): Promise<string | undefined> {
  const code = "import importlib.metadata as m; print(m.version('pypto-lsp'))";
  return new Promise((resolve) => {
    execFile(interpreter, ["-I", "-c", code], { timeout: timeoutMs, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim() || undefined);
    });
  });
}
