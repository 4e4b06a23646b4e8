"""Says what to install where a framework is missing."""

from __future__ import annotations


def missing_extra(error: ModuleNotFoundError, extra: str, framework: str, packages: tuple[str, ...]) -> ModuleNotFoundError:
    """The error to raise instead: it says what to install. An error of the framework itself stays as it is."""
    if error.name is None or error.name.partition(".")[0] not in packages:
        return error
    message = f"This needs {framework}, which is not installed: pip install 'loci-client[{extra}]'"
    return ModuleNotFoundError(message, name=error.name)
