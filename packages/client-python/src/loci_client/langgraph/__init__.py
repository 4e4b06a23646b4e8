"""A store for LangGraph whose items are memories."""

try:
    import langgraph.store.base as _base  # noqa: F401
except ModuleNotFoundError as _error:
    from loci_client.agent.required_extra import missing_extra

    raise missing_extra(_error, "langgraph", "LangGraph", ("langgraph",)) from None

from loci_client.langgraph.store import LociStore as LociStore

__all__ = ["LociStore"]
