"""Memory for LangChain: a middleware for its agents, a retriever of memories, a history of messages, and tools."""

try:
    import langchain as _langchain  # noqa: F401
    import langchain_core as _langchain_core  # noqa: F401
except ModuleNotFoundError as _error:
    from loci_client.agent.required_extra import missing_extra

    raise missing_extra(_error, "langchain", "LangChain", ("langchain", "langchain_core")) from None

from loci_client.langchain.chat_message_history import LociChatMessageHistory as LociChatMessageHistory
from loci_client.langchain.middleware import LociMiddleware as LociMiddleware
from loci_client.langchain.request import LociRequest as LociRequest
from loci_client.langchain.retriever import LociRetriever as LociRetriever
from loci_client.langchain.tools import loci_tools as loci_tools

__all__ = ["LociChatMessageHistory", "LociMiddleware", "LociRequest", "LociRetriever", "loci_tools"]
