"""Short-lived tokens that may do a part of what an API key may."""

import base64
import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from loci_client.scope import names_nobody

_API_KEY = re.compile(r"loci_([a-z0-9-]{1,32})_[A-Za-z0-9_-]{43}", re.ASCII)
_KINDS = ("session", "user", "agent", "team", "project")
_ROLES = ("read", "write", "approve", "admin", "operate")
_MOST_SCOPES = 50
_MOST_ID_BYTES = 200
_LONGEST = timedelta(hours=24)
_PURPOSE = b"loci delegated token 1"


def delegated_token(
    api_key: str,
    *,
    scopes: Sequence[str],
    roles: Sequence[str],
    expires_in: timedelta,
    now: datetime | None = None,
) -> str:
    """Makes a token that may do a part of what an API key may: for one user, with fewer roles.

    Nothing is asked of a server, so a backend makes one for each of its users. It is passed to `connect` in place of the
    key, and revoked with it. It is a JSON Web Token, signed with Ed25519 by a private key derived from the API key. What is
    written with it has the key's subject as its author, and its calls count as the key's.

    The server decides by its own clock: a token is over at its last second, and one that was made more than 60 s later
    than the server's time is refused. One that asks for more than its key has is refused as a whole.

    Needs the package `cryptography`: `pip install "loci-client[tokens]"`.

    Args:
        api_key: The whole key, as it was issued. The token does not hold it.
        scopes: What the token may touch, 1 to 50: scopes (`user:ann`), all of a kind (`user:*`), or `*`. The key must
            cover each.
        roles: What the token may do, at least one of `read`, `write`, `approve`, `admin`, `operate`. The key must have
            each.
        expires_in: How long it is valid, from a second to 24 hours; parts of a second are cut off.
        now: When it is made, with its time zone. Default: now.

    Raises:
        ValueError: An argument is not what it must be; the message begins with its name and never holds the key.
        TypeError: An argument is of another type; the same of its message.
        ImportError: `cryptography` is not installed.
    """
    if not isinstance(api_key, str):
        raise TypeError(f"api_key must be a str, but is a {type(api_key).__name__}. Is its environment variable set?")
    match = _API_KEY.fullmatch(api_key)
    if match is None:
        raise ValueError("api_key is not an API key. Pass the whole key as it was issued: loci_ID_SECRET.")
    if isinstance(scopes, str) or not 1 <= len(scopes) <= _MOST_SCOPES:
        raise ValueError(f'scopes must be a list of 1 to {_MOST_SCOPES} scopes, such as ["user:ann"].')
    for scope in scopes:
        if not isinstance(scope, str):
            raise TypeError(f"scopes must hold strings such as user:ann, but holds a {type(scope).__name__}.")
        if not _is_scope_pattern(scope):
            raise ValueError(f"scopes holds {scope[:60]!r}, which is not a scope. Use user:ann, user:* or *.")
    if isinstance(roles, str) or not roles or any(role not in _ROLES for role in roles):
        raise ValueError(f"roles must be a list of roles, at least one. Use some of {', '.join(_ROLES)}.")
    if not isinstance(expires_in, timedelta):
        raise TypeError(f"expires_in must be a timedelta, such as timedelta(minutes=15), but is {expires_in!r}.")
    if not timedelta(seconds=1) <= expires_in <= _LONGEST:
        raise ValueError(f"expires_in must be from a second to 24 hours, but is {expires_in}.")
    now = now or datetime.now(timezone.utc)
    if now.tzinfo is None:
        raise ValueError("now has no time zone. Pass for example datetime.now(timezone.utc).")
    issued_at = int((now - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds())
    header = {"alg": "EdDSA", "typ": "loci-token+jwt", "kid": match[1]}
    expires_at = issued_at + int(expires_in.total_seconds())
    claims = {"iat": issued_at, "exp": expires_at, "scopes": list(scopes), "roles": list(roles)}
    signed = f"{_encoded(header)}.{_encoded(claims)}"
    return f"{signed}.{_base64url(_signature(api_key, signed.encode()))}"


def _is_scope_pattern(text: str) -> bool:
    """What the server would refuse for other reasons it says itself."""
    if text in ("*", "global"):
        return True
    kind, _, identifier = text.partition(":")
    is_whole = identifier == "*" or "*" not in identifier
    if names_nobody(text):
        return False
    return kind in _KINDS and is_whole and 1 <= len(identifier.encode()) <= _MOST_ID_BYTES


def _signature(api_key: str, message: bytes) -> bytes:
    # Loaded here, because only this function needs it.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(api_key.encode())
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def _encoded(value: dict[str, object]) -> str:
    return _base64url(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
