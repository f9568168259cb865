/** How the server is started: which command, from which setting or interpreter. Knows nothing of VS Code. */

export interface Settings {
  /** `pypto.server.command`: the whole command line, empty when not set. */
  readonly command: readonly string[];
  /** `pypto.interpreter`: a Python interpreter, empty when not set. */
  readonly interpreter: string;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where the command came from, for the output channel. */
  readonly origin: string;
}

/** Asks an interpreter whether it can import the server; resolves to the server's version, or undefined. */
export type Probe = (interpreter: string) => Promise<string | undefined>;

/** The interpreters to try, in order: the setting, the active environment, what the PATH offers. */
export function candidates(
  settings: Settings,
  active: string | undefined,
  platform: NodeJS.Platform,
): { interpreter: string; origin: string }[] {
  const found: { interpreter: string; origin: string }[] = [];
  const add = (interpreter: string | undefined, origin: string): void => {
    if (interpreter && !found.some((known) => known.interpreter === interpreter)) {
      found.push({ interpreter, origin });
    }
  };
  add(settings.interpreter || undefined, "the setting pypto.interpreter");
  add(active, "the Python extension's active environment");
  if (platform === "win32") {
    add("py", "the Python launcher");
    add("python", "the PATH");
  } else {
    add("python3", "the PATH");
    add("python", "the PATH");
  }
  return found;
}

/** The command that starts the server; undefined when no interpreter has it installed. */
export async function resolveLaunch(
  settings: Settings,
  active: string | undefined,
  platform: NodeJS.Platform,
  probe: Probe,
): Promise<Launch | undefined> {
  const [command, ...args] = settings.command;
  if (command) {
    return { command, args, origin: "the setting pypto.server.command" };
  }
  for (const { interpreter, origin } of candidates(settings, active, platform)) {
    if ((await probe(interpreter)) !== undefined) {
      return { command: interpreter, args: ["-m", "pypto_lsp", "serve"], origin };
    }
  }
  return undefined;
}

/** What to tell the user when no interpreter has the server. */
export function missingServerMessage(settings: Settings): string {
  return settings.interpreter
    ? `The interpreter ${settings.interpreter} has no pypto-lsp. Install it there: pip install pypto-lsp`
    : "No Python with pypto-lsp was found. Install it (pip install pypto-lsp) into the environment of this workspace, or set pypto.interpreter.";
}
