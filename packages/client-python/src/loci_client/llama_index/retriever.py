"""Memories as nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from loci_client.agent.escape_text import escape_text
from loci_client.asynchronous.client import AsyncLoci
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import RecallHit

Scopes = Sequence[Union[str, Scope]]


class LociRetriever(BaseRetriever):
    """Memories as nodes, best first.

    With `Loci` it retrieves in both ways: asynchronously, in threads. With `AsyncLoci` asynchronously only.
    """

    def __init__(
        self,
        loci: Loci | AsyncLoci,
        *,
        scopes: Scopes | Callable[[], Scopes],
        recall: Mapping[str, Any] | None = None,
        text: Literal["escaped", "raw"] = "escaped",
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Made once.

        Args:
            scopes: Whose memories are looked for: a list, or a function that finds out for each question, as from a context
                variable of your application. Never by what a model or a user said.
            recall: How many, of what kind, and how they are ranked: the arguments of `loci.recall` by name.
            text: `escaped`: nothing in a text can be read as the end of a section, a tag or a role, and nothing is invisible.
                `raw`: as it was remembered, for what no model is shown.
        """
        super().__init__(callback_manager=callback_manager)
        self._loci = loci
        self._scopes = scopes
        self._recall = {} if recall is None else recall
        self._shown = escape_text if text == "escaped" else str

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if isinstance(self._loci, AsyncLoci):
            raise TypeError("The retriever was called blocking, but has an AsyncLoci: use Loci, or aretrieve.")
        hits = self._loci.recall(query_bundle.query_str, scopes=self._known_scopes(), **self._recall).hits
        return [self._node(hit) for hit in hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if not isinstance(self._loci, AsyncLoci):
            return await asyncio.to_thread(self._retrieve, query_bundle)
        hits = (await self._loci.recall(query_bundle.query_str, scopes=self._known_scopes(), **self._recall)).hits
        return [self._node(hit) for hit in hits]

    def _known_scopes(self) -> Scopes:
        return self._scopes() if callable(self._scopes) else self._scopes

    def _node(self, hit: RecallHit) -> NodeWithScore:
        memory = hit.memory
        metadata: dict[str, Any] = {
            "scope": str(memory.scope),
            "category": memory.category,
            "created_at": memory.create_time.isoformat(),
        }
        if memory.provenance is not None:
            metadata["source"] = self._shown(memory.provenance.source_id)
        # LlamaIndex writes metadata before a text, for models and embedders alike: there it is only what was remembered, and for
        # models whether that is over.
        unseen = list(metadata)
        if hit.outdated is not None:
            in_part = "in part " if hit.outdated.is_in_part else ""
            metadata["replaced_by"] = list(hit.outdated.replaced_by)
            metadata["outdated"] = f"{in_part}since {hit.outdated.since.date().isoformat()}"
            unseen.append("replaced_by")
        node = TextNode(
            id_=memory.id,
            text=self._shown(hit.text),
            metadata=metadata,
            excluded_llm_metadata_keys=unseen,
            excluded_embed_metadata_keys=list(metadata),
        )
        return NodeWithScore(node=node, score=hit.score)
