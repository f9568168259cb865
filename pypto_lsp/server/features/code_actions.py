"""Quick fixes, suppression comments and "fix all", built from what the diagnostics carry. Fixes that take analyses of their
own are sought when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session

FIX_ALL = "source.fixAll.pypto"
_KINDS = (lsp.CodeActionKind.QuickFix, FIX_ALL)


def register(server: Server) -> None:
    options = lsp.CodeActionOptions(code_action_kinds=list(_KINDS), resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        from pypto_lsp.server import edits

        session, uri = server.session, params.text_document.uri
        actions: list[lsp.CodeAction] = []
        if _asked_for(lsp.CodeActionKind.QuickFix.value, params.context.only):
            moved = params.context.trigger_kind is lsp.CodeActionTriggerKind.Automatic
            for diagnostic in params.context.diagnostics:
                actions += await _quick_fixes(session, uri, diagnostic, only_quickly=moved)
        if _asked_for(FIX_ALL, params.context.only) and (params.context.only or edits.safe_edit(session, to_path(uri))):
            actions += _fix_all(session, uri)
        return actions

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        if action.edit is None and action.kind == FIX_ALL and isinstance(action.data, dict):
            from pypto_lsp.server import edits

            path = to_path(str(action.data.get("uri", "")))
            await server.session.scheduler.report(path, complete=True)
            action.edit = edits.safe_edit(server.session, path)
        return action


def _asked_for(kind: str, only: Iterable[lsp.CodeActionKind | str] | None) -> bool:
    """Whether a client that asks for some kinds wants this one; asking for ``source`` asks for ``source.fixAll`` too."""
    if only is None:
        return True
    for wanted in only:
        name = wanted.value if isinstance(wanted, lsp.CodeActionKind) else wanted
        if not name or kind == name or kind.startswith(name + "."):
            return True
    return False


async def _quick_fixes(
    session: Session, uri: str, diagnostic: lsp.Diagnostic, *, only_quickly: bool
) -> list[lsp.CodeAction]:
    from pypto_lsp.server import edits

    data = edits.current_data(session, uri, diagnostic)
    if data is None:
        return []
    actions = []
    fixes, reason = data["fixes"], ""
    found = None if fixes else session.findings.find(to_path(uri), diagnostic)
    if found is not None:
        sought = await edits.sought_fixes(session, to_path(uri), *found, only_quickly=only_quickly)
        if sought is not None:
            fixes = [edits.fix_data(session, fix) for fix in sought.fixes]
            reason = str(sought.facts.get("no_fix", ""))
    if reason and session.server.client.disabled_actions:
        actions.append(_disabled(f"No safe fix for {_code(data)}", reason, diagnostic))
    for number, fix in enumerate(fixes):
        action = _action(fix["title"], edits.workspace_edit(session, fix["edits"]), diagnostic)
        if session.server.client.is_preferred:
            action.is_preferred = number == 0 and bool(fix["safe"])
        actions.append(action)
    suppression = edits.suppression_edit(session, uri, diagnostic, _code(data))
    if suppression is not None:
        actions.append(
            _action(f"Ignore {_code(data)} on this line", edits.workspace_edit(session, [suppression]), diagnostic)
        )
    return actions


def _action(title: str, edit: lsp.WorkspaceEdit, diagnostic: lsp.Diagnostic) -> lsp.CodeAction:
    return lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[diagnostic], edit=edit)


def _disabled(title: str, reason: str, diagnostic: lsp.Diagnostic) -> lsp.CodeAction:
    """An action that cannot be chosen and says why."""
    kind = lsp.CodeActionKind.QuickFix
    return lsp.CodeAction(title, kind=kind, diagnostics=[diagnostic], disabled=lsp.CodeActionDisabled(reason))


def _code(data: dict[str, Any]) -> str:
    return data["hint_code"] or f"{data['rule_name']}/{data['error_code']}"


def _fix_all(session: Session, uri: str) -> list[lsp.CodeAction]:
    from pypto_lsp.server import edits

    action = lsp.CodeAction("Apply all safe PyPTO fixes", kind=FIX_ALL)
    if session.server.client.resolve_action_edit:
        action.data = {"uri": uri}
        return [action]
    action.edit = edits.safe_edit(session, to_path(uri))
    return [action] if action.edit is not None else []
