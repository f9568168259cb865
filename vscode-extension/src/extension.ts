import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

import { Launch, missingServerMessage, resolveLaunch, Settings } from "./interpreter";
import { registerIrView } from "./irView";
import { MemoryUse } from "./memory";
import { MemoryView } from "./memoryView";
import { probeInterpreter } from "./probe";

let client: LanguageClient | undefined;
let output: vscode.OutputChannel;
let memory: MemoryView;
/** Starts and stops run one after the other, whatever triggers them. */
let queue: Promise<void> = Promise.resolve();

export function activate(context: vscode.ExtensionContext): void {
  output = vscode.window.createOutputChannel("PyPTO");
  memory = new MemoryView(askMemory);
  context.subscriptions.push(
    output,
    memory,
    vscode.commands.registerCommand("pypto.restart", () => enqueue(restart)),
    vscode.commands.registerCommand("pypto.showOutput", () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pypto.server") || event.affectsConfiguration("pypto.interpreter")) {
        void enqueue(restart);
      }
    }),
  );
  registerIrView(context, () => client);
  void watchActiveEnvironment(context);
  void enqueue(start);
}

export function deactivate(): Promise<void> {
  return enqueue(stop);
}

function enqueue(action: () => Promise<void>): Promise<void> {
  queue = queue.then(action, action);
  return queue;
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running && running.state !== State.Stopped) {
    await running.stop();
  }
}

async function start(): Promise<void> {
  const settings = readSettings();
  const launch = await resolveLaunch(settings, await activeInterpreter(), process.platform, probeInterpreter);
  if (!launch) {
    await reportMissing(settings);
    return;
  }
  output.appendLine(`Starting ${[launch.command, ...launch.args].join(" ")} (from ${launch.origin})`);
  client = new LanguageClient("pypto", "PyPTO", serverOptions(launch), clientOptions());
  try {
    await client.start();
    memory.refresh();
  } catch (error) {
    output.appendLine(`The server did not start: ${String(error)}`);
    void vscode.window.showErrorMessage("The PyPTO language server did not start.", "Show Output").then((choice) => {
      if (choice) {
        output.show();
      }
    });
  }
}

async function askMemory(uri: vscode.Uri): Promise<MemoryUse | null | undefined> {
  if (client?.state !== State.Running) {
    return undefined;
  }
  try {
    return await client.sendRequest<MemoryUse | null>("pypto/memory", { textDocument: { uri: uri.toString() } });
  } catch (error) {
    output.appendLine(`The memory of ${uri.toString()} is not known: ${String(error)}`);
    return undefined;
  }
}

function serverOptions(launch: Launch): ServerOptions {
  return { command: launch.command, args: [...launch.args], options: { env: process.env } };
}

function clientOptions(): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
    ],
    outputChannel: output,
    initializationOptions: { settings: vscode.workspace.getConfiguration("pypto") },
    synchronize: {
      configurationSection: "pypto",
      fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.py,report/perf_hints.log}"),
    },
  };
}

function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration("pypto");
  return {
    command: configuration.get<string[]>("server.command", []),
    interpreter: configuration.get<string>("interpreter", ""),
  };
}

async function reportMissing(settings: Settings): Promise<void> {
  const message = missingServerMessage(settings);
  output.appendLine(message);
  const choice = await vscode.window.showWarningMessage(message, "Open Settings");
  if (choice) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "pypto.interpreter");
  }
}

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
    resolveEnvironment(path: unknown): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (!extension) {
    return undefined;
  }
  try {
    return extension.isActive ? extension.exports : await extension.activate();
  } catch (error) {
    output.appendLine(`The Python extension could not be asked: ${String(error)}`);
    return undefined;
  }
}

async function activeInterpreter(): Promise<string | undefined> {
  const api = await pythonApi();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!api?.environments) {
    return undefined;
  }
  const resolved = await api.environments.resolveEnvironment(api.environments.getActiveEnvironmentPath(folder));
  return resolved?.executable.uri?.fsPath;
}

async function watchActiveEnvironment(context: vscode.ExtensionContext): Promise<void> {
  const api = await pythonApi();
  if (api?.environments) {
    context.subscriptions.push(api.environments.onDidChangeActiveEnvironmentPath(() => void enqueue(restart)));
  }
}
