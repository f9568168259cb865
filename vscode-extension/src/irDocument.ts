/** Documents of the IR view: what they are addressed by, and what the server is asked for them. */

export const SCHEME = "pypto-ir";
export const REQUEST = "pypto/ir";

/** An IR view: of a source document, after a pass (empty: as the rules see it), of one kernel (empty: all). */
export interface View {
  readonly source: string;
  readonly after: string;
  readonly kernel: string;
}

export interface Parameters {
  readonly textDocument: { readonly uri: string };
  readonly after?: string;
  readonly kernel?: string;
}

export interface Answer {
  readonly text?: string;
  readonly error?: string;
  readonly kernels: readonly string[];
  readonly passes: readonly string[];
}

/** The path and query of a view's document; the path is what its tab shows. */
export function address(view: View): { path: string; query: string } {
  const name = view.source.split("/").pop() ?? "";
  const stem = decodeURIComponent(name).replace(/\.py$/, "");
  const parts = [stem, view.kernel, view.after || "ir"].filter((part) => part !== "");
  return { path: `/${parts.join(" ")}.py`, query: JSON.stringify(view) };
}

/** The view that a document's query stands for; undefined when it is none of ours. */
export function viewOf(query: string): View | undefined {
  try {
    const view: unknown = JSON.parse(query);
    return isView(view) ? view : undefined;
  } catch {
    return undefined;
  }
}

function isView(value: unknown): value is View {
  const view = value as Partial<Record<keyof View, unknown>> | null;
  return typeof view?.source === "string" && typeof view.after === "string" && typeof view.kernel === "string";
}

export function parameters(view: View): Parameters {
  return {
    textDocument: { uri: view.source },
    ...(view.after ? { after: view.after } : {}),
    ...(view.kernel ? { kernel: view.kernel } : {}),
  };
}

/** The text of a view's document. */
export function shown(answer: Answer | undefined): string {
  if (!answer) {
    return "# The PyPTO language server is not running.\n";
  }
  return answer.text ?? `# ${answer.error ?? "There is no IR."}\n`;
}
