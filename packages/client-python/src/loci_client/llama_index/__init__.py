"""Memory for LlamaIndex: a memory for its agents, the block that stands in it, tools for models, and a retriever of memories."""

try:
    import llama_index.core as _llama_index  # noqa: F401
except ModuleNotFoundError as _error:
    from loci_client.agent.required_extra import missing_extra

    raise missing_extra(_error, "llama-index", "LlamaIndex", ("llama_index",)) from None

from loci_client.llama_index.memory import LociMemory as LociMemory
from loci_client.llama_index.memory import loci_memory as loci_memory
from loci_client.llama_index.memory_block import LociMemoryBlock as LociMemoryBlock
from loci_client.llama_index.retriever import LociRetriever as LociRetriever
from loci_client.llama_index.tools import loci_tools as loci_tools

__all__ = ["LociMemory", "LociMemoryBlock", "LociRetriever", "loci_memory", "loci_tools"]
