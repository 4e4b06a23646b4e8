"""The arguments of calls as the fields of their requests, where the two are not the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loci_client.fill import listed


def recall_options(options: Mapping[str, object]) -> dict[str, object]:
    """The fields of `RecallOptions`: a profile is one by name, or changes to one."""
    fields = dict(options)
    profile = fields.pop("profile", None)
    fields["profile_name" if isinstance(profile, str) else "profile_changes"] = profile
    return fields


def context_fields(
    *,
    scopes: Any = None,
    recall: Mapping[str, object] | None = None,
    recall_query: str | None = None,
    layout: Any = None,
    **fields: Any,
) -> dict[str, object]:
    """The fields of `AssembleContextRequest`."""
    if not (scopes is None and recall is None and recall_query is None):
        options = None if recall is None else recall_options(recall)
        scopes = None if scopes is None else listed(scopes, "scopes")
        fields["recall"] = {"scopes": scopes, "options": options, "query": recall_query}
    if layout is not None:
        fields["layout" if isinstance(layout, str) else "layout_definition"] = layout
    return fields
