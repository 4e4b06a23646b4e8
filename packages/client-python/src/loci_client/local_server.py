"""The server of a data directory on this machine."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal, NamedTuple, overload

import grpc

from loci_client.endpoint import Endpoint, make_endpoint
from loci_client.errors import LociError, make_error


class LocalServer(NamedTuple):
    """What a server notes in its directory."""

    address: str
    tls: bool
    api_key: str | None

    def __repr__(self) -> str:
        return f"LocalServer({self.address!r})"


def locate_directory(data_directory: str | os.PathLike[str] | None) -> Path:
    """The argument, else `LOCI_DATA_DIR`, else `loci` in the XDG data home. Always absolute."""
    if data_directory is not None and not isinstance(data_directory, (str, os.PathLike)):
        raise TypeError(f"data_directory must be a path, but is {type(data_directory).__name__}.")
    given = data_directory or os.environ.get("LOCI_DATA_DIR")
    if given:
        return Path(given).absolute()
    # The XDG base directory specification says that relative paths are to be ignored.
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "share") / "loci"


def find_server(directory: Path) -> LocalServer | None:
    """The server of this user that has the directory open."""
    try:
        note = json.loads((directory / "server.json").read_text(encoding="utf-8"))
        server = LocalServer(note["address"], note["tls"], note.get("apiKey"))
        return server if _is_running(note["pid"]) else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None


def not_served(directory: Path) -> LociError:
    advice = "Start one with `loci serve`, or name the directory of the one that runs (LOCI_DATA_DIR)."
    message = f"No server of this user has {directory} open."
    return make_error("UNAVAILABLE", "SERVER_UNAVAILABLE", message, advice, resource=str(directory))


@overload
def find_endpoint(
    data_directory: str | os.PathLike[str] | None,
    api_key: str | None,
    credentials: grpc.ChannelCredentials | None,
    max_message_bytes: int,
    connect_timeout: float,
) -> Endpoint: ...
@overload
def find_endpoint(
    data_directory: str | os.PathLike[str] | None,
    api_key: str | None,
    credentials: grpc.ChannelCredentials | None,
    max_message_bytes: int,
    connect_timeout: float,
    *,
    or_none: Literal[True],
) -> Endpoint | None: ...
def find_endpoint(
    data_directory: str | os.PathLike[str] | None,
    api_key: str | None,
    credentials: grpc.ChannelCredentials | None,
    max_message_bytes: int,
    connect_timeout: float,
    *,
    or_none: bool = False,
) -> Endpoint | None:
    """Where the server of a directory is now.

    Raises:
        UnavailableError: No server of this user has the directory open, unless that may be.
    """
    directory = locate_directory(data_directory)
    server = find_server(directory)
    if server is None and or_none:
        return None
    if server is None:
        raise not_served(directory)
    if credentials is None and server.tls:
        credentials = grpc.ssl_channel_credentials()
    key = server.api_key if api_key is None else api_key
    return make_endpoint(server.address, key, credentials, max_message_bytes, connect_timeout)


def _is_running(pid: int) -> bool:
    """What a server that died has left does not count."""
    if os.name != "posix":
        return True
    try:
        # Signal 0 only asks whether the process is there.
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
