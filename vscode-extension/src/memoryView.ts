import * as vscode from "vscode";

import { Line, memoryLines, MemoryUse, Place } from "./memory";

/** Asks the server for the memory of a document's kernels; undefined while it does not run. */
export type AskMemory = (uri: vscode.Uri) => Promise<MemoryUse | null | undefined>;

/** How long to wait after a key (milliseconds), so that the view does not follow every one. */
const PAUSE = 500;

/** The tree of the active editor's kernels, renewed when another is chosen or its text changes. */
export class MemoryView implements vscode.TreeDataProvider<Line>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly ask: AskMemory) {
    this.subscriptions = [
      this.changed,
      vscode.window.registerTreeDataProvider("pypto.memory", this),
      vscode.commands.registerCommand("pypto.refreshMemory", () => this.refresh()),
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === vscode.window.activeTextEditor?.document) {
          clearTimeout(this.timer);
          this.timer = setTimeout(() => this.refresh(), PAUSE);
        }
      }),
    ];
  }

  refresh(): void {
    this.changed.fire();
  }

  async getChildren(parent?: Line): Promise<Line[]> {
    if (parent) {
      return [...parent.children];
    }
    const document = vscode.window.activeTextEditor?.document;
    const use = document?.languageId === "python" ? await this.ask(document.uri) : undefined;
    return use ? memoryLines(use) : [];
  }

  getTreeItem(line: Line): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(line.label, line.children.length ? Expanded : None);
    item.description = line.description;
    item.tooltip = line.tooltip;
    if (line.over) {
      item.iconPath = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
    }
    if (line.place) {
      item.command = { command: "vscode.open", title: "Show", arguments: target(line.place) };
    }
    return item;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

function target(place: Place): [vscode.Uri, vscode.TextDocumentShowOptions] {
  const { start, end } = place.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  return [vscode.Uri.parse(place.uri), { selection, preserveFocus: true }];
}
