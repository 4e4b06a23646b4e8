"""Where in a tenant something belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from loci_client.errors import invalid

if TYPE_CHECKING:
    from loci_client.v1 import scope_pb2

ScopeKind = Literal["session", "user", "agent", "team", "project", "global"]

KIND_NAMES = {0: "unspecified", 1: "session", 2: "user", 3: "agent", 4: "team", 5: "project", 6: "global"}
_NUMBERS = {name: number for number, name in KIND_NAMES.items()}


# What a template makes of a value that is not there: everybody who is unknown would share one memory.
_IDS_OF_NOBODY = ("undefined", "null", "None", "NaN", "nan", "[object Object]", "<nil>", "%!s(<nil>)")


def names_nobody(scope: object) -> bool:
    """Whether a scope that was written as a text is one such as `user:None`. A `Scope` is taken at its word."""
    return isinstance(scope, str) and scope.partition(":")[2] in _IDS_OF_NOBODY


@dataclass(frozen=True, slots=True)
class Scope:
    """Where in a tenant a memory belongs, and who may be shown it. `str()` gives it as text: `user:alice`, `global`."""

    kind: str
    """`session`, `user`, `agent`, `team`, `project` or `global`."""
    id: str = ""
    """Empty for `global`, and for nothing else."""

    @classmethod
    def parse(cls, text: str, field: str = "scope") -> Scope:
        """A scope from its text. Everything after the first colon is the id.

        Raises:
            InvalidArgumentError: `INVALID_SCOPE`, the kind is unknown; `INVALID_IDENTIFIER`, it is one such as `user:None`.
        """
        kind, colon, id = text.partition(":")
        if kind not in _NUMBERS or kind == "unspecified" or (kind == "global") != (colon == ""):
            raise invalid(
                "INVALID_SCOPE",
                f"{field} is no scope: {text[:80]!r}.",
                field=field,
                advice="A scope is session:ID, user:ID, agent:ID, team:ID, project:ID or global.",
            )
        if names_nobody(text):
            raise invalid(
                "INVALID_IDENTIFIER",
                f"{field} is {text!r}, as a template writes it when the id is missing: it names no {kind}.",
                field=field,
                advice=f"Pass the id that your application gives to the {kind}. For one that is really called so, pass "
                f"Scope({kind!r}, id) in place of a text.",
            )
        return cls(kind, id)

    def __str__(self) -> str:
        return self.kind if self.kind == "global" else f"{self.kind}:{self.id}"

    @classmethod
    def from_proto(cls, message: scope_pb2.Scope) -> Scope:
        return cls(KIND_NAMES.get(message.kind) or str(int(message.kind)), message.id)

    def write(self, message: scope_pb2.Scope) -> None:
        """Fills a message with it."""
        number = _NUMBERS.get(self.kind)
        message.kind = int(self.kind) if number is None else number  # type: ignore[assignment]
        message.id = self.id
