"""Memories as documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, Union

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from pydantic import ConfigDict, Field, SkipValidation

from loci_client.asynchronous.client import AsyncLoci
from loci_client.agent.escape_text import escape_text
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import RecallHit

# Of the call that is running: LangChain does not hand a retriever the configuration of its caller.
_config: ContextVar[RunnableConfig] = ContextVar("loci_retriever_config")

Scopes = Sequence[Union[str, Scope]]


class LociRetriever(BaseRetriever):
    """Memories as documents, best first.

    With `Loci` it is invoked in both ways: asynchronously, in threads. With `AsyncLoci` asynchronously only.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    loci: SkipValidation[Union[Loci, AsyncLoci]] = Field(exclude=True, repr=False)
    scopes: SkipValidation[Union[Scopes, Callable[[RunnableConfig], Scopes]]]
    """Whose memories are looked for: a list, or what your application makes of the call's `configurable`.

    Never of what a model or a user said.
    """
    recall: SkipValidation[Mapping[str, Any]] = Field(default_factory=dict)
    """How many, of what kind, and how they are ranked: the arguments of `loci.recall` by name."""
    text: Literal["escaped", "raw"] = "escaped"
    """`escaped`: nothing in a text can be read as the end of a section, a tag or a role, and nothing is invisible.

    `raw`: as it was remembered, for what no model is shown.
    """

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The memories that answer a question.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, nobody said whose memories.
        """
        with _within(config) as known:
            return super().invoke(input, known, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """As `invoke`."""
        with _within(config) as known:
            return await super().ainvoke(input, known, **kwargs)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if isinstance(self.loci, AsyncLoci):
            raise TypeError("The retriever was invoked blocking, but has an AsyncLoci: use Loci, or ainvoke.")
        hits = self.loci.recall(query, scopes=self._known_scopes(), **self.recall).hits
        return [self._document(hit) for hit in hits]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if not isinstance(self.loci, AsyncLoci):
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        hits = (await self.loci.recall(query, scopes=self._known_scopes(), **self.recall)).hits
        return [self._document(hit) for hit in hits]

    def _known_scopes(self) -> Scopes:
        return self.scopes(_config.get()) if callable(self.scopes) else self.scopes

    def _document(self, hit: RecallHit) -> Document:
        memory = hit.memory
        shown = escape_text if self.text == "escaped" else str
        metadata: dict[str, Any] = {
            "id": memory.id,
            "scope": str(memory.scope),
            "category": memory.category,
            "score": hit.score,
            "created_at": memory.create_time.isoformat(),
        }
        if memory.provenance is not None:
            metadata["source"] = shown(memory.provenance.source_id)
        if hit.outdated is not None:
            metadata["outdated"] = {
                "since": hit.outdated.since.isoformat(),
                "is_in_part": hit.outdated.is_in_part,
                "replaced_by": list(hit.outdated.replaced_by),
            }
        return Document(id=memory.id, page_content=shown(hit.text), metadata=metadata)


@contextmanager
def _within(config: RunnableConfig | None) -> Iterator[RunnableConfig]:
    known = ensure_config(config)
    token = _config.set(known)
    try:
        yield known
    finally:
        _config.reset(token)
