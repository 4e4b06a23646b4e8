"""Who speaks with an agent, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loci_client.errors import LociError, invalid
from loci_client.scope import Scope, names_nobody


@dataclass(frozen=True)
class Conversation:
    """Who speaks, in which conversation, and what may be recalled for it.

    The application says so: never a message, and never a model.

    Raises:
        InvalidArgumentError: `SCOPE_REQUIRED`, no scope is named; `INVALID_SCOPE`; `INVALID_IDENTIFIER`.
    """

    scope: str | Scope
    """Whose memory it is: what is said is kept there, and what is learnt of it as well."""
    session: str | None = None
    """The id of the session in that scope, at most 187 bytes. It is begun when it is missing. Without one nothing is kept."""
    recall_from: Sequence[str | Scope] | None = None
    """Where it is recalled from. Default: `scope` alone."""
    agent: str | None = None
    """Who answers, by the id of an agent scope."""
    project: str | None = None
    """What it is about, by the id of a project scope."""

    def __post_init__(self) -> None:
        recalled = (self.scope,) if self.recall_from is None else self.recall_from
        if isinstance(recalled, (str, Scope)):
            raise TypeError(f"recall_from must be a list, but is {type(recalled).__name__}.")
        scopes = tuple([_checked(scope, f"conversation.recall_from[{at}]") for at, scope in enumerate(recalled)])
        if len(scopes) == 0:
            raise scope_required()
        object.__setattr__(self, "scope", _checked(self.scope, "conversation.scope"))
        object.__setattr__(self, "recall_from", scopes)
        for field in ("session", "agent", "project"):
            id = getattr(self, field)
            if id is not None and not isinstance(id, str):
                raise TypeError(f"conversation.{field} must be text, but is {type(id).__name__}.")
            if id == "":
                raise _empty(f"conversation.{field}")


_OWNING_KINDS = ("user", "agent", "team", "project")


def block_owners(conversation: Conversation) -> list[str]:
    """Whose blocks a conversation has to do with: who speaks, the agent and the project, as far as they can have blocks."""
    scope = conversation.scope if isinstance(conversation.scope, Scope) else Scope.parse(conversation.scope)
    owners = [str(scope)] if scope.kind in _OWNING_KINDS else []
    if conversation.agent is not None:
        owners.append(f"agent:{conversation.agent}")
    if conversation.project is not None:
        owners.append(f"project:{conversation.project}")
    return list(dict.fromkeys(owners))


def scope_required() -> LociError:
    """The error for a conversation that does not say whose memory it is."""
    return invalid(
        "SCOPE_REQUIRED",
        "The conversation names no scope: nobody said whose memory it is. The model was not called.",
        field="conversation.scope",
        advice='Pass conversation=Conversation("user:ann", session="…"), or a function that returns one for each request.',
    )


def missing_in_request(error: Exception) -> LociError:
    """The error for a function that reads from a request what is not in it: it fails by itself, and says nothing that helps."""
    return invalid(
        "SCOPE_REQUIRED",
        f"The function conversation failed with {_article(type(error).__name__)}, as where a request has not what it reads. "
        "The model was not called.",
        field="conversation",
        advice="Call the agent with what the function reads, such as its context; the cause says what was not there.",
    )


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _checked(scope: str | Scope, field: str) -> Scope:
    if not scope:
        raise scope_required()
    if not isinstance(scope, (str, Scope)):
        raise TypeError(f"{field} must be text or Scope, but is {type(scope).__name__}.")
    if names_nobody(scope):
        raise invalid(
            "SCOPE_REQUIRED",
            f"The conversation names {scope}, which is nobody: whatever should say who speaks was not there. "
            "The model was not called.",
            field="conversation.scope",
            advice='Find out who speaks before you ask. If somebody is called so, say it with Scope("user", "…").',
        )
    parsed = Scope.parse(scope, field) if isinstance(scope, str) else scope
    if parsed.id == "" and parsed.kind != "global":
        raise _empty(field)
    return parsed


def _empty(field: str) -> LociError:
    return invalid("INVALID_IDENTIFIER", f"{field} has an empty id.", field=field, advice="Use an id of 1 to 200 bytes.")


def check_asked(conversation: object, question: object) -> None:
    """Checks what a block is asked for.

    Raises:
        TypeError: An argument is of another type.
    """
    if not isinstance(conversation, Conversation):
        raise TypeError(f"conversation must be a Conversation, but is {type(conversation).__name__}.")
    if not isinstance(question, str):
        raise TypeError(f"question must be text, but is {type(question).__name__}.")
