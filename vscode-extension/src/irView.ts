import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { address, Answer, parameters, REQUEST, SCHEME, shown, View, viewOf } from "./irDocument";

/** Registers the command that shows the IR of a kernel after a pass, in a read-only document that follows its source. */
export function registerIrView(context: vscode.ExtensionContext, client: () => LanguageClient | undefined): void {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const ask = (view: View): Promise<Answer | undefined> => request(client(), view);
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const view = viewOf(uri.query);
      return view ? shown(await ask(view)) : "";
    },
  };
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidChangeTextDocument((event) => refresh(event.document.uri.toString(), changed)),
    vscode.commands.registerCommand("pypto.showIr", () => show(ask)),
  );
}

async function request(client: LanguageClient | undefined, view: View): Promise<Answer | undefined> {
  return client?.isRunning() ? client.sendRequest<Answer>(REQUEST, parameters(view)) : undefined;
}

function refresh(source: string, changed: vscode.EventEmitter<vscode.Uri>): void {
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === SCHEME && viewOf(document.uri.query)?.source === source) {
      changed.fire(document.uri);
    }
  }
}

async function show(ask: (view: View) => Promise<Answer | undefined>): Promise<void> {
  const source = vscode.window.activeTextEditor?.document;
  if (source?.languageId !== "python" || source.uri.scheme === SCHEME) {
    void vscode.window.showInformationMessage("Open a file with PyPTO kernels first.");
    return;
  }
  const whole: View = { source: source.uri.toString(), after: "", kernel: "" };
  const known = await ask(whole);
  if (!known || known.kernels.length === 0) {
    void vscode.window.showInformationMessage(known ? "There are no PyPTO kernels in this file." : shown(known).slice(2));
    return;
  }
  const after = await vscode.window.showQuickPick([...known.passes], { placeHolder: "Show the IR after which pass?" });
  if (after === undefined) {
    return;
  }
  const uri = vscode.Uri.from({ scheme: SCHEME, ...address({ ...whole, after }) });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, "python");
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}
