"""Which method of the client makes which call of the contract, and how its arguments are called there."""

from typing import Any


def adapted(call: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The method for a call, and its arguments.

    Args:
        given: What the request holds, by the names of the contract.
    """
    service, _, name = call.rpartition("/")
    if "validate_only" in given:
        given["dry_run"] = given.pop("validate_only")
    method = METHODS[service, name]
    return method(given) if callable(method) else (method, given)


def _of(method, field):
    """A method that takes what a field of the request holds."""
    return lambda given: (method, {**given.pop(field, {}), **given})


def _update_memory(given):
    memory, mask = given.pop("memory", {}), given.pop("update_mask", [])
    changes = {path: memory.get(path) for path in mask}
    if "key" in memory:
        named = {"scope": memory.get("scope"), "key": memory["key"]}
    else:
        named = {"memory": memory.get("id", "")}
    return "memories.update", {**named, "etag": memory.get("etag"), **changes, **given}


def _delete_memory(given):
    return "memories.forget", {"memory": given.pop("id", ""), **given}


def _recall(given):
    return "recall", {**_options(given.pop("options", {})), **given}


def _options(options):
    for name in ("profile_name", "profile_changes"):
        if name in options:
            options["profile"] = options.pop(name)
    return options


def _assemble(given):
    return "assemble", _context(given)


def _context(given):
    recall = given.pop("recall", None)
    if recall is not None:
        given |= {"recall": _options(recall.get("options", {})), "recall_query": recall.get("query")}
        given["scopes"] = recall.get("scopes", ())
    if "layout_definition" in given:
        given["layout"] = given.pop("layout_definition")
    return given


def _session(method):
    """A method that takes scope and id of a session as one."""
    return lambda given: (method, _named(given))


def _named(given):
    given["session"] = (given.pop("scope", None), given.pop("id", ""))
    return given


def _create_session(given):
    return "sessions.create", _named({**given.pop("session", {}), **given})


def _append_and_assemble(given):
    context = given.pop("context", None)
    append = _named(given.pop("append", {}))
    append.setdefault("expected_last_turn", 0)
    return "sessions.append_and_assemble", {**append, "context": None if context is None else _context(context)}


def _append_and_capture(given):
    begun = given.pop("session", {})
    scope = begun.pop("scope", None)
    identifier = begun.pop("id", None)
    return "sessions.append_and_capture", {
        "session": scope if identifier is None else (scope, identifier),
        **begun,
        **given,
    }


def _append(given):
    return "sessions.append", {"expected_last_turn": 0, **_named(given)}


def _turn_state(given):
    method = "load_with_summary" if given.pop("with_summary", False) else "load"
    return f"sessions.turn_state.{method}", _named(given)


def _save_turn_state(given):
    state = given.pop("turn_state", {})
    return "sessions.turn_state.save", {"state": state.get("json", ""), **_named(given)}


def _merge_turn_state(given):
    given = _named(given)
    if "decision" in given:
        return "sessions.turn_state.record_decision", {**given, **{"rationale": "", **given["decision"]}}
    if "action" in given:
        action = given.pop("action")
        details = action.pop("details_json", None)
        return "sessions.turn_state.record_action", {"result": "", **action, "details": details, **given}
    if "blocked_reason" in given:
        return "sessions.turn_state.mark_blocked", {"reason": given.pop("blocked_reason"), **given}
    return "sessions.turn_state.merge", {"fresh": given.pop("fresh_json", ""), **given}


def _wait_operation(given):
    return "operations.wait", {"wait": given.pop("timeout", None), **given}


def _wait_capture(given):
    return "captures.wait", {"id": given.get("id", "")}


def _start_maintenance(given):
    return "maintenance.start", {"job": given.pop("job", {}), **given}


def _promote(given):
    return "blocks.promote", {"memory": given.pop("memory_id", ""), **given}


def _update_profile(given):
    task = given.pop("set_task", None)
    if task is not None:
        given |= {"set_task": task.get("text", ""), "task_context": task.get("context")}
    cleared = given.pop("clear_task", None)
    if cleared is not None:
        given |= {"clear_task": True, **cleared}
    return "blocks.profile.update", given


METHODS = {
    ("loci.v1.MemoryService", "CreateMemory"): _of("memories.remember", "memory"),
    ("loci.v1.MemoryService", "BatchCreateMemories"): "memories.remember_many",
    ("loci.v1.MemoryService", "CreateMemoriesFromConversation"): "memories.remember_conversation",
    ("loci.v1.MemoryService", "GetMemory"): "memories.get",
    ("loci.v1.MemoryService", "BatchGetMemories"): "memories.get_many",
    ("loci.v1.MemoryService", "ListMemories"): "memories.list",
    ("loci.v1.MemoryService", "ListMemoryIds"): "memories.ids",
    ("loci.v1.MemoryService", "ListMemoryScopes"): "memories.scopes",
    ("loci.v1.MemoryService", "UpdateMemory"): _update_memory,
    ("loci.v1.MemoryService", "DeleteMemory"): _delete_memory,
    ("loci.v1.MemoryService", "ListMemoryVersions"): "memories.versions",
    ("loci.v1.MemoryService", "RestoreMemory"): "memories.restore",
    ("loci.v1.MemoryService", "MarkMemoriesUsed"): "memories.mark_used",
    ("loci.v1.MemoryService", "RecallMemories"): _recall,
    ("loci.v1.MemoryService", "WatchMemories"): "memories.watch",
    ("loci.v1.MemoryService", "ExportMemories"): "memories.export",
    ("loci.v1.ContextService", "AssembleContext"): _assemble,
    ("loci.v1.ContextService", "ListReceipts"): "receipts.list",
    ("loci.v1.ContextService", "GetReceipt"): "receipts.get",
    ("loci.v1.ContextService", "CountTokens"): "tokens.count",
    ("loci.v1.ContextService", "CheckBudget"): "budget.check",
    ("loci.v1.ContextService", "EnforceBudget"): "budget.enforce",
    ("loci.v1.ContextService", "TrimMessages"): "budget.trim",
    ("loci.v1.ContextService", "RecordModelUsage"): "budget.record",
    ("loci.v1.ContextService", "GetModelUsageTotals"): "budget.totals",
    ("loci.v1.SessionService", "CreateSession"): _create_session,
    ("loci.v1.SessionService", "GetSession"): _session("sessions.get"),
    ("loci.v1.SessionService", "ListSessions"): "sessions.list",
    ("loci.v1.SessionService", "CloseSession"): _session("sessions.close"),
    ("loci.v1.SessionService", "ReopenSession"): _session("sessions.reopen"),
    ("loci.v1.SessionService", "DeleteSession"): _session("sessions.delete"),
    ("loci.v1.SessionService", "AppendTurns"): _append,
    ("loci.v1.SessionService", "AppendTurnsAndAssembleContext"): _append_and_assemble,
    ("loci.v1.SessionService", "AppendTurnsAndCapture"): _append_and_capture,
    ("loci.v1.SessionService", "ListTurns"): _session("sessions.turns"),
    ("loci.v1.SessionService", "GetTurnState"): _turn_state,
    ("loci.v1.SessionService", "SaveTurnState"): _save_turn_state,
    ("loci.v1.SessionService", "MergeTurnState"): _merge_turn_state,
    ("loci.v1.SessionService", "GetDailyLog"): "sessions.daily_log",
    ("loci.v1.CaptureService", "StartCapture"): "captures.start",
    ("loci.v1.CaptureService", "GetCapture"): "captures.get",
    ("loci.v1.CaptureService", "WaitCapture"): _wait_capture,
    ("loci.v1.CaptureService", "ListCaptures"): "captures.list",
    ("loci.v1.CaptureService", "CancelCapture"): "captures.cancel",
    ("loci.v1.CaptureService", "UndoCapture"): "captures.undo",
    ("loci.v1.CaptureService", "ReplayCapture"): "captures.replay",
    ("loci.v1.CaptureService", "RecordPostMortem"): "captures.record_post_mortem",
    ("loci.v1.CaptureService", "ListReviews"): "captures.reviews.list",
    ("loci.v1.CaptureService", "DecideReview"): "captures.reviews.decide",
    ("loci.v1.CaptureService", "ListEvidence"): "captures.evidence",
    ("loci.v1.BlockService", "CreateBlock"): "blocks.create",
    ("loci.v1.BlockService", "GetBlock"): "blocks.get",
    ("loci.v1.BlockService", "ListBlocks"): "blocks.list",
    ("loci.v1.BlockService", "UpdateBlock"): "blocks.update",
    ("loci.v1.BlockService", "DeleteBlock"): "blocks.delete",
    ("loci.v1.BlockService", "RestoreBlock"): "blocks.restore",
    ("loci.v1.BlockService", "ListBlockVersions"): "blocks.history",
    ("loci.v1.BlockService", "DiffBlockVersions"): "blocks.diff",
    ("loci.v1.BlockService", "ProposeBlockEdit"): "blocks.propose",
    ("loci.v1.BlockService", "GetBlockEdit"): "blocks.get_edit",
    ("loci.v1.BlockService", "ListBlockEdits"): "blocks.list_edits",
    ("loci.v1.BlockService", "ApproveBlockEdit"): "blocks.approve",
    ("loci.v1.BlockService", "RejectBlockEdit"): "blocks.reject",
    ("loci.v1.BlockService", "WithdrawBlockEdit"): "blocks.withdraw",
    ("loci.v1.BlockService", "UpdateProfile"): _update_profile,
    ("loci.v1.BlockService", "GetProfileSummary"): "blocks.profile.summary",
    ("loci.v1.BlockService", "SearchArchival"): "blocks.profile.search_archival",
    ("loci.v1.BlockService", "PromoteMemory"): _promote,
    ("loci.v1.BlockService", "DemoteLine"): "blocks.demote",
    ("loci.v1.BlockService", "CreateBlockSchema"): "blocks.schemas.create",
    ("loci.v1.BlockService", "ListBlockSchemas"): "blocks.schemas.list",
    ("loci.v1.BlockService", "DeleteBlockSchema"): "blocks.schemas.delete",
    ("loci.v1.StatusService", "GetCaller"): "caller",
    ("loci.v1.StatusService", "GetStatus"): "status",
    ("loci.v1.OperationService", "SettleIndexes"): "operations.settle_indexes",
    ("loci.v1.OperationService", "GetOperation"): "operations.get",
    ("loci.v1.OperationService", "WaitOperation"): _wait_operation,
    ("loci.v1.OperationService", "CancelOperation"): "operations.cancel",
    ("loci.v1.MaintenanceService", "StartMaintenance"): _start_maintenance,
    ("loci.v1.MaintenanceService", "ExportMemories"): "maintenance.export_memories",
    ("loci.v1.MaintenanceService", "ExportRecords"): "maintenance.export_records",
    ("loci.v1.MaintenanceService", "ImportRecords"): "maintenance.import_records",
    ("loci.v1.MaintenanceService", "ImportMemories"): "maintenance.import_memories",
}
