"""Anthropic's memory tool: what a model keeps for itself in files are blocks, which people can approve and take back."""

try:
    import anthropic as _anthropic  # noqa: F401
except ModuleNotFoundError as _error:
    from loci_client.agent.required_extra import missing_extra

    raise missing_extra(_error, "anthropic", "Anthropic's SDK", ("anthropic",)) from None

from loci_client.anthropic.memory_tool import AsyncLociMemoryTool as AsyncLociMemoryTool
from loci_client.anthropic.memory_tool import LociMemoryTool as LociMemoryTool

__all__ = ["AsyncLociMemoryTool", "LociMemoryTool"]
