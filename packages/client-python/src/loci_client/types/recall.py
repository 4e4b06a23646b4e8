"""Generated from loci/v1/recall.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import datetime
from typing import Final, Literal

from loci_client.filters import Filter
from loci_client.record import Record
from loci_client.types.memory import Memory
from loci_client.v1 import recall_pb2
from loci_client.values import read_time


RecallRotationKey = Literal["unspecified", "owner", "session", "off"]
"""Whose marks make a memory stale."""
RECALL_ROTATION_KEY_NAMES: Final[dict[int, RecallRotationKey]] = {
    0: "unspecified",
    1: "owner",
    2: "session",
    3: "off",
}


RecallStrategy = Literal["unspecified", "union", "cascade"]
"""How several scopes are searched."""
RECALL_STRATEGY_NAMES: Final[dict[int, RecallStrategy]] = {
    0: "unspecified",
    1: "union",
    2: "cascade",
}


RecallFallback = Literal["unspecified", "none", "recent"]
"""What stands in when nothing is relevant."""
RECALL_FALLBACK_NAMES: Final[dict[int, RecallFallback]] = {
    0: "unspecified",
    1: "none",
    2: "recent",
}


ScoreCombination = Literal["unspecified", "product", "sum"]
"""How the parts of a score are put together."""
SCORE_COMBINATION_NAMES: Final[dict[int, ScoreCombination]] = {
    0: "unspecified",
    1: "product",
    2: "sum",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class RecallOptions(Record[recall_pb2.RecallOptions]):
    """How a recall searches and scores."""

    categories: tuple[str, ...] = ()
    """Optional. Only these categories. Default: all."""
    where: Filter | None = None
    """Optional. Which memories may be candidates."""
    limit: int | None = None
    """Optional. Most archival memories, 1 to 1,000. Default 15."""
    procedure_limit: int | None = None
    """Optional. Most procedures, 0 to 1,000. Default 10."""
    max_tokens: int | None = None
    """Optional. Most tokens of all texts together. Default 1,500; where limit is given, and used_tokens is not, as many
    as so many memories and procedures take.
    """
    max_tokens_per_memory: int | None = None
    """Optional. A longer memory is cut to this: to the passage that the question is about. Default 500."""
    profile_name: str | None = None
    """A shipped profile: "balanced" (the default), "archive" or "assistant"."""
    profile_changes: ScoringProfile | None = None
    """Changes to the tenant's profile, else to "balanced"."""
    strategy: str = "unspecified"
    """Optional. Default RECALL_STRATEGY_UNION."""
    valid_at: datetime.datetime | None = None
    """Optional. Only what was true then. Default: the evaluation time."""
    fallback: str = "unspecified"
    """Optional. What to do when nothing is relevant. Default RECALL_FALLBACK_NONE."""
    known_at: datetime.datetime | None = None
    """Optional. Only what had been recorded by then, as it was then. An exact scan of at most 20,000 memories."""
    rotation: RecallRotation | None = None
    """Optional. Who asks, so that a session is not shown again what the owner was just shown in another one."""
    used_tokens: int | None = None
    """Optional. Tokens of max_tokens that others have used already. Default 0."""
    tools: tuple[str, ...] = ()
    """Optional. Names of the tools in use, at most 128: procedures with a tag that they name are found."""
    relevance_floor: float | None = None
    """Optional. How close a memory must come to the question, 0 to 1. Default: the tenant's floor, else the embedder's.
    """
    time_zone: str | None = None
    """Optional. Whose days "yesterday", "last month" and "3 May" in the question are, as an IANA name such as
    Europe/Berlin. Default UTC; in an assembly its time_zone.
    """

    @staticmethod
    def _new() -> recall_pb2.RecallOptions:
        return recall_pb2.RecallOptions()

    @classmethod
    def from_proto(cls, message: recall_pb2.RecallOptions) -> RecallOptions:
        return cls(
            categories=tuple(message.categories),
            where=Filter(message.where) if message.HasField("where") else None,
            limit=message.limit if message.HasField("limit") else None,
            procedure_limit=message.procedure_limit if message.HasField("procedure_limit") else None,
            max_tokens=message.max_tokens if message.HasField("max_tokens") else None,
            max_tokens_per_memory=message.max_tokens_per_memory if message.HasField("max_tokens_per_memory") else None,
            profile_name=message.profile_name if message.HasField("profile_name") else None,
            profile_changes=ScoringProfile.from_proto(message.profile_changes) if message.HasField("profile_changes") else None,
            strategy=RECALL_STRATEGY_NAMES.get(message.strategy) or str(int(message.strategy)),
            valid_at=read_time(message.valid_at) if message.HasField("valid_at") else None,
            fallback=RECALL_FALLBACK_NAMES.get(message.fallback) or str(int(message.fallback)),
            known_at=read_time(message.known_at) if message.HasField("known_at") else None,
            rotation=RecallRotation.from_proto(message.rotation) if message.HasField("rotation") else None,
            used_tokens=message.used_tokens if message.HasField("used_tokens") else None,
            tools=tuple(message.tools),
            relevance_floor=message.relevance_floor if message.HasField("relevance_floor") else None,
            time_zone=message.time_zone if message.HasField("time_zone") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class RecallRotation(Record[recall_pb2.RecallRotation]):
    """Who asks, and what counts as shown lately."""

    owner: str = ""
    """Required. Whose sessions they are, such as a user. Credentials with other scope patterns mean another one by the
    same name.
    """
    session: str = ""
    """Required. The session that asks; unique among the owner's."""
    key: str = "unspecified"
    """Optional. Whose marks make a memory stale. Default RECALL_ROTATION_KEY_OWNER."""
    in_window: tuple[str, ...] = ()
    """Optional. Ids of memories that the session's window holds, at most 1,000. They are never stale."""

    @staticmethod
    def _new() -> recall_pb2.RecallRotation:
        return recall_pb2.RecallRotation()

    @classmethod
    def from_proto(cls, message: recall_pb2.RecallRotation) -> RecallRotation:
        return cls(
            owner=message.owner,
            session=message.session,
            key=RECALL_ROTATION_KEY_NAMES.get(message.key) or str(int(message.key)),
            in_window=tuple(message.in_window),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ScoringProfile(Record[recall_pb2.ScoringProfile]):
    """The weights, windows and floors of the composite score. A field left out keeps its default."""

    weights: ScoringWeights | None = None
    """Optional. A weight left out keeps its default."""
    recency_half_life_hours: float | None = None
    """Optional. Default 720."""
    importance_half_life_days: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Optional. By category; "default" for every other."""
    importance_floor: float | None = None
    """Optional. Default 0.1."""
    stale_factor: float | None = None
    """Optional. Default 0.5."""
    stale_window_milliseconds: float | None = None
    """Optional. Default 3,600,000."""
    boost_per_tag: float | None = None
    """Optional. Default 0.1."""
    max_boosting_tags: float | None = None
    """Optional. Default 5."""
    neighbour_factor: float | None = None
    """Optional. Default 0.3."""
    passage_share: float | None = None
    """Optional. Default 0.7."""
    time_share: float | None = None
    """Optional. Default 0.25."""
    speaker_boost: float | None = None
    """Optional. Default 0.2."""
    rerank_share: float | None = None
    """Optional. Default 0.7."""
    assistant_factor: float | None = None
    """Optional. Default 0.5."""
    combination: str = "unspecified"
    """Optional. Default a product."""

    @staticmethod
    def _new() -> recall_pb2.ScoringProfile:
        return recall_pb2.ScoringProfile()

    @classmethod
    def from_proto(cls, message: recall_pb2.ScoringProfile) -> ScoringProfile:
        return cls(
            weights=ScoringWeights.from_proto(message.weights) if message.HasField("weights") else None,
            recency_half_life_hours=message.recency_half_life_hours if message.HasField("recency_half_life_hours") else None,
            importance_half_life_days=dict(message.importance_half_life_days),
            importance_floor=message.importance_floor if message.HasField("importance_floor") else None,
            stale_factor=message.stale_factor if message.HasField("stale_factor") else None,
            stale_window_milliseconds=message.stale_window_milliseconds if message.HasField("stale_window_milliseconds") else None,
            boost_per_tag=message.boost_per_tag if message.HasField("boost_per_tag") else None,
            max_boosting_tags=message.max_boosting_tags if message.HasField("max_boosting_tags") else None,
            neighbour_factor=message.neighbour_factor if message.HasField("neighbour_factor") else None,
            passage_share=message.passage_share if message.HasField("passage_share") else None,
            time_share=message.time_share if message.HasField("time_share") else None,
            speaker_boost=message.speaker_boost if message.HasField("speaker_boost") else None,
            rerank_share=message.rerank_share if message.HasField("rerank_share") else None,
            assistant_factor=message.assistant_factor if message.HasField("assistant_factor") else None,
            combination=SCORE_COMBINATION_NAMES.get(message.combination) or str(int(message.combination)),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ScoringWeights(Record[recall_pb2.ScoringWeights]):
    """The weights of the score's parts."""

    relevance: float | None = None
    """Optional. Default 0.8."""
    recency: float | None = None
    """Optional. Default 0.1."""
    importance: float | None = None
    """Optional. Default 0.05."""
    frequency: float | None = None
    """Optional. Default 0.05."""

    @staticmethod
    def _new() -> recall_pb2.ScoringWeights:
        return recall_pb2.ScoringWeights()

    @classmethod
    def from_proto(cls, message: recall_pb2.ScoringWeights) -> ScoringWeights:
        return cls(
            relevance=message.relevance if message.HasField("relevance") else None,
            recency=message.recency if message.HasField("recency") else None,
            importance=message.importance if message.HasField("importance") else None,
            frequency=message.frequency if message.HasField("frequency") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class RecallResult(Record[recall_pb2.RecallMemoriesResponse]):
    """What was found."""

    hits: tuple[RecallHit, ...] = ()
    """Best first, except that of those that contradict each other the newest takes the best of their places, that what
    holds in the place of something that a turn says stands before the turn, and that a question for the course of
    something has turns of each conversation in turn.
    """
    dropped: tuple[DroppedCandidate, ...] = ()
    """Only with explain."""
    evaluation_time: datetime.datetime
    degraded: tuple[str, ...] = ()
    """Why the answer is less than it could be: INDEX_BEHIND, EMBEDDING_UNAVAILABLE, TEXT_INDEX_UNAVAILABLE,
    VECTOR_INDEX_UNAVAILABLE, RERANKER_UNAVAILABLE.
    """
    used_fallback: bool = False
    """True when the newest memories stand in."""
    timings: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Milliseconds for each step."""
    accounts: tuple[MemoryAccount, ...] = ()
    """Only with explain and also: of each memory asked for, in that order, what became of it."""
    profile: ScoringProfile | None = None
    """Only with explain: what the scores were made with, every field of it."""

    @staticmethod
    def _new() -> recall_pb2.RecallMemoriesResponse:
        return recall_pb2.RecallMemoriesResponse()

    @classmethod
    def from_proto(cls, message: recall_pb2.RecallMemoriesResponse) -> RecallResult:
        return cls(
            hits=tuple([RecallHit.from_proto(value) for value in message.hits]),
            dropped=tuple([DroppedCandidate.from_proto(value) for value in message.dropped]),
            evaluation_time=read_time(message.evaluation_time),
            degraded=tuple(message.degraded),
            used_fallback=message.used_fallback,
            timings=dict(message.timings),
            accounts=tuple([MemoryAccount.from_proto(value) for value in message.accounts]),
            profile=ScoringProfile.from_proto(message.profile) if message.HasField("profile") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class RecallHit(Record[recall_pb2.RecallHit]):
    """A memory that answers the question."""

    memory: Memory
    score: float = 0.0
    parts: ScoreParts
    """What the score is made of."""
    text: str = ""
    """The memory's text; of one longer than max_tokens_per_memory the passage that was found, with "..." where
    something was left out.
    """
    tokens: int = 0
    """Tokens of that text."""
    truncated: bool = False
    """True when something was cut."""
    found_by: str = ""
    """How it got in: "relevance", "tag", "time" (made at the time that alone is asked for) or "recent"."""
    outdated: OutdatedMark | None = None
    """What of it is over. Absent: nothing is known to be."""

    @staticmethod
    def _new() -> recall_pb2.RecallHit:
        return recall_pb2.RecallHit()

    @classmethod
    def from_proto(cls, message: recall_pb2.RecallHit) -> RecallHit:
        return cls(
            memory=Memory.from_proto(message.memory),
            score=message.score,
            parts=ScoreParts.from_proto(message.parts),
            text=message.text,
            tokens=message.tokens,
            truncated=message.truncated,
            found_by=message.found_by,
            outdated=OutdatedMark.from_proto(message.outdated) if message.HasField("outdated") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class OutdatedMark(Record[recall_pb2.OutdatedMark]):
    """What is known to be over of a memory that is shown all the same."""

    since: datetime.datetime
    """Since when: of several things that are over the first."""
    is_in_part: bool = False
    """True: something that a turn of a conversation says is over, and what else it says may hold still. False: all of
    it is, since a newer value of its slot is known.
    """
    replaced_by: tuple[str, ...] = ()
    """Ids of what holds in its place, as far as that meets the conditions of the request. None when nothing took its
    place, or nothing that does. They need not be among the hits: BatchGetMemories reads them.
    """

    @staticmethod
    def _new() -> recall_pb2.OutdatedMark:
        return recall_pb2.OutdatedMark()

    @classmethod
    def from_proto(cls, message: recall_pb2.OutdatedMark) -> OutdatedMark:
        return cls(
            since=read_time(message.since),
            is_in_part=message.is_in_part,
            replaced_by=tuple(message.replaced_by),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ScoreParts(Record[recall_pb2.ScoreParts]):
    """Every factor of a score."""

    relevance: float = 0.0
    cosine: float | None = None
    """Absent when the memory has no vector."""
    text: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    frequency: float = 0.0
    stale: float = 0.0
    tag_boost: float = 0.0
    neighbours: float = 0.0
    time: float | None = None
    """Absent when the question names no time."""
    speaker: float | None = None
    """Absent when the question does not name who said it."""
    rerank: float | None = None
    """Absent without a reranker."""
    asking: float | None = None
    """Absent for everything but turns of a conversation that ask."""
    role: float | None = None
    """Absent for everything but turns of an assistant or a tool, and those of few words among people."""
    instruction: float | None = None
    """Absent for everything but turns that tell an assistant how to be."""

    @staticmethod
    def _new() -> recall_pb2.ScoreParts:
        return recall_pb2.ScoreParts()

    @classmethod
    def from_proto(cls, message: recall_pb2.ScoreParts) -> ScoreParts:
        return cls(
            relevance=message.relevance,
            cosine=message.cosine if message.HasField("cosine") else None,
            text=message.text,
            recency=message.recency,
            importance=message.importance,
            frequency=message.frequency,
            stale=message.stale,
            tag_boost=message.tag_boost,
            neighbours=message.neighbours,
            time=message.time if message.HasField("time") else None,
            speaker=message.speaker if message.HasField("speaker") else None,
            rerank=message.rerank if message.HasField("rerank") else None,
            asking=message.asking if message.HasField("asking") else None,
            role=message.role if message.HasField("role") else None,
            instruction=message.instruction if message.HasField("instruction") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class DroppedCandidate(Record[recall_pb2.DroppedCandidate]):
    """A memory that was considered and left out."""

    id: str = ""
    reason: str = ""
    """In UPPER_SNAKE, such as BELOW_RELEVANCE_FLOOR."""
    in_favour_of: str | None = None
    """The memory it lost to."""
    score: float | None = None
    """Absent when it was dropped before scoring."""
    parts: ScoreParts | None = None
    closeness: float | None = None
    """Only with BELOW_RELEVANCE_FLOOR: how close it comes to the question, 0 to 1."""
    floor: float | None = None
    """Only with BELOW_RELEVANCE_FLOOR: how close it had to come. Where nothing answers at all that is what the closest
    had to.
    """

    @staticmethod
    def _new() -> recall_pb2.DroppedCandidate:
        return recall_pb2.DroppedCandidate()

    @classmethod
    def from_proto(cls, message: recall_pb2.DroppedCandidate) -> DroppedCandidate:
        return cls(
            id=message.id,
            reason=message.reason,
            in_favour_of=message.in_favour_of if message.HasField("in_favour_of") else None,
            score=message.score if message.HasField("score") else None,
            parts=ScoreParts.from_proto(message.parts) if message.HasField("parts") else None,
            closeness=message.closeness if message.HasField("closeness") else None,
            floor=message.floor if message.HasField("floor") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryAccount(Record[recall_pb2.MemoryAccount]):
    """What became of a memory that a recall was asked to account for."""

    id: str = ""
    reason: str | None = None
    """Why it is not among the hits: what a dropped candidate has; OTHER_SCOPE, it is in none of the scopes that were
    asked, or there is none that the caller may read; NOT_RECORDED_THEN, nothing was known of it at known_at;
    FILTERED_OUT, categories or where leave it out; NOT_A_CANDIDATE, neither its words nor its meaning brought it
    among the candidates. Absent: it is one of the hits.
    """
    in_favour_of: str | None = None
    """The memory it lost to."""
    score: float | None = None
    """Absent when it was not scored."""
    parts: ScoreParts | None = None
    """Absent when it was not scored."""
    closeness: float | None = None
    """Only with BELOW_RELEVANCE_FLOOR: how close it comes to the question, 0 to 1."""
    floor: float | None = None
    """Only with BELOW_RELEVANCE_FLOOR: how close it had to come."""
    rank: int | None = None
    """Its place by score among all candidates that were scored, hits and dropped, from 1. Absent when it was not
    scored.
    """

    @staticmethod
    def _new() -> recall_pb2.MemoryAccount:
        return recall_pb2.MemoryAccount()

    @classmethod
    def from_proto(cls, message: recall_pb2.MemoryAccount) -> MemoryAccount:
        return cls(
            id=message.id,
            reason=message.reason if message.HasField("reason") else None,
            in_favour_of=message.in_favour_of if message.HasField("in_favour_of") else None,
            score=message.score if message.HasField("score") else None,
            parts=ScoreParts.from_proto(message.parts) if message.HasField("parts") else None,
            closeness=message.closeness if message.HasField("closeness") else None,
            floor=message.floor if message.HasField("floor") else None,
            rank=message.rank if message.HasField("rank") else None,
        )._from(message)
