import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import filter_pb2 as _filter_pb2
from loci_client.v1 import memory_pb2 as _memory_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecallRotationKey(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_ROTATION_KEY_UNSPECIFIED: _ClassVar[RecallRotationKey]
    RECALL_ROTATION_KEY_OWNER: _ClassVar[RecallRotationKey]
    RECALL_ROTATION_KEY_SESSION: _ClassVar[RecallRotationKey]
    RECALL_ROTATION_KEY_OFF: _ClassVar[RecallRotationKey]

class RecallStrategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_STRATEGY_UNSPECIFIED: _ClassVar[RecallStrategy]
    RECALL_STRATEGY_UNION: _ClassVar[RecallStrategy]
    RECALL_STRATEGY_CASCADE: _ClassVar[RecallStrategy]

class RecallFallback(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_FALLBACK_UNSPECIFIED: _ClassVar[RecallFallback]
    RECALL_FALLBACK_NONE: _ClassVar[RecallFallback]
    RECALL_FALLBACK_RECENT: _ClassVar[RecallFallback]

class ScoreCombination(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORE_COMBINATION_UNSPECIFIED: _ClassVar[ScoreCombination]
    SCORE_COMBINATION_PRODUCT: _ClassVar[ScoreCombination]
    SCORE_COMBINATION_SUM: _ClassVar[ScoreCombination]
RECALL_ROTATION_KEY_UNSPECIFIED: RecallRotationKey
RECALL_ROTATION_KEY_OWNER: RecallRotationKey
RECALL_ROTATION_KEY_SESSION: RecallRotationKey
RECALL_ROTATION_KEY_OFF: RecallRotationKey
RECALL_STRATEGY_UNSPECIFIED: RecallStrategy
RECALL_STRATEGY_UNION: RecallStrategy
RECALL_STRATEGY_CASCADE: RecallStrategy
RECALL_FALLBACK_UNSPECIFIED: RecallFallback
RECALL_FALLBACK_NONE: RecallFallback
RECALL_FALLBACK_RECENT: RecallFallback
SCORE_COMBINATION_UNSPECIFIED: ScoreCombination
SCORE_COMBINATION_PRODUCT: ScoreCombination
SCORE_COMBINATION_SUM: ScoreCombination

class RecallMemoriesRequest(_message.Message):
    __slots__ = ("query", "scopes", "options", "evaluation_time", "explain", "record_usage", "also")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    RECORD_USAGE_FIELD_NUMBER: _ClassVar[int]
    ALSO_FIELD_NUMBER: _ClassVar[int]
    query: str
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    options: RecallOptions
    evaluation_time: _timestamp_pb2.Timestamp
    explain: bool
    record_usage: bool
    also: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., options: _Optional[_Union[RecallOptions, _Mapping]] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., explain: _Optional[bool] = ..., record_usage: _Optional[bool] = ..., also: _Optional[_Iterable[str]] = ...) -> None: ...

class RecallOptions(_message.Message):
    __slots__ = ("categories", "where", "limit", "procedure_limit", "max_tokens", "max_tokens_per_memory", "profile_name", "profile_changes", "strategy", "valid_at", "fallback", "known_at", "rotation", "used_tokens", "tools", "relevance_floor", "time_zone")
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    WHERE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PROCEDURE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_PER_MEMORY_FIELD_NUMBER: _ClassVar[int]
    PROFILE_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_CHANGES_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    VALID_AT_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_FIELD_NUMBER: _ClassVar[int]
    KNOWN_AT_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    USED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_FLOOR_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedScalarFieldContainer[str]
    where: _filter_pb2.Filter
    limit: int
    procedure_limit: int
    max_tokens: int
    max_tokens_per_memory: int
    profile_name: str
    profile_changes: ScoringProfile
    strategy: RecallStrategy
    valid_at: _timestamp_pb2.Timestamp
    fallback: RecallFallback
    known_at: _timestamp_pb2.Timestamp
    rotation: RecallRotation
    used_tokens: int
    tools: _containers.RepeatedScalarFieldContainer[str]
    relevance_floor: float
    time_zone: str
    def __init__(self, categories: _Optional[_Iterable[str]] = ..., where: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., limit: _Optional[int] = ..., procedure_limit: _Optional[int] = ..., max_tokens: _Optional[int] = ..., max_tokens_per_memory: _Optional[int] = ..., profile_name: _Optional[str] = ..., profile_changes: _Optional[_Union[ScoringProfile, _Mapping]] = ..., strategy: _Optional[_Union[RecallStrategy, str]] = ..., valid_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., fallback: _Optional[_Union[RecallFallback, str]] = ..., known_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rotation: _Optional[_Union[RecallRotation, _Mapping]] = ..., used_tokens: _Optional[int] = ..., tools: _Optional[_Iterable[str]] = ..., relevance_floor: _Optional[float] = ..., time_zone: _Optional[str] = ...) -> None: ...

class RecallRotation(_message.Message):
    __slots__ = ("owner", "session", "key", "in_window")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    IN_WINDOW_FIELD_NUMBER: _ClassVar[int]
    owner: str
    session: str
    key: RecallRotationKey
    in_window: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, owner: _Optional[str] = ..., session: _Optional[str] = ..., key: _Optional[_Union[RecallRotationKey, str]] = ..., in_window: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoringProfile(_message.Message):
    __slots__ = ("weights", "recency_half_life_hours", "importance_half_life_days", "importance_floor", "stale_factor", "stale_window_milliseconds", "boost_per_tag", "max_boosting_tags", "neighbour_factor", "passage_share", "time_share", "speaker_boost", "rerank_share", "assistant_factor", "combination")
    class ImportanceHalfLifeDaysEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    RECENCY_HALF_LIFE_HOURS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_HALF_LIFE_DAYS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FLOOR_FIELD_NUMBER: _ClassVar[int]
    STALE_FACTOR_FIELD_NUMBER: _ClassVar[int]
    STALE_WINDOW_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    BOOST_PER_TAG_FIELD_NUMBER: _ClassVar[int]
    MAX_BOOSTING_TAGS_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOUR_FACTOR_FIELD_NUMBER: _ClassVar[int]
    PASSAGE_SHARE_FIELD_NUMBER: _ClassVar[int]
    TIME_SHARE_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_BOOST_FIELD_NUMBER: _ClassVar[int]
    RERANK_SHARE_FIELD_NUMBER: _ClassVar[int]
    ASSISTANT_FACTOR_FIELD_NUMBER: _ClassVar[int]
    COMBINATION_FIELD_NUMBER: _ClassVar[int]
    weights: ScoringWeights
    recency_half_life_hours: float
    importance_half_life_days: _containers.ScalarMap[str, float]
    importance_floor: float
    stale_factor: float
    stale_window_milliseconds: float
    boost_per_tag: float
    max_boosting_tags: float
    neighbour_factor: float
    passage_share: float
    time_share: float
    speaker_boost: float
    rerank_share: float
    assistant_factor: float
    combination: ScoreCombination
    def __init__(self, weights: _Optional[_Union[ScoringWeights, _Mapping]] = ..., recency_half_life_hours: _Optional[float] = ..., importance_half_life_days: _Optional[_Mapping[str, float]] = ..., importance_floor: _Optional[float] = ..., stale_factor: _Optional[float] = ..., stale_window_milliseconds: _Optional[float] = ..., boost_per_tag: _Optional[float] = ..., max_boosting_tags: _Optional[float] = ..., neighbour_factor: _Optional[float] = ..., passage_share: _Optional[float] = ..., time_share: _Optional[float] = ..., speaker_boost: _Optional[float] = ..., rerank_share: _Optional[float] = ..., assistant_factor: _Optional[float] = ..., combination: _Optional[_Union[ScoreCombination, str]] = ...) -> None: ...

class ScoringWeights(_message.Message):
    __slots__ = ("relevance", "recency", "importance", "frequency")
    RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    FREQUENCY_FIELD_NUMBER: _ClassVar[int]
    relevance: float
    recency: float
    importance: float
    frequency: float
    def __init__(self, relevance: _Optional[float] = ..., recency: _Optional[float] = ..., importance: _Optional[float] = ..., frequency: _Optional[float] = ...) -> None: ...

class RecallMemoriesResponse(_message.Message):
    __slots__ = ("hits", "dropped", "evaluation_time", "degraded", "used_fallback", "timings", "accounts", "profile")
    class TimingsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    HITS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    USED_FALLBACK_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_FIELD_NUMBER: _ClassVar[int]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[RecallHit]
    dropped: _containers.RepeatedCompositeFieldContainer[DroppedCandidate]
    evaluation_time: _timestamp_pb2.Timestamp
    degraded: _containers.RepeatedScalarFieldContainer[str]
    used_fallback: bool
    timings: _containers.ScalarMap[str, float]
    accounts: _containers.RepeatedCompositeFieldContainer[MemoryAccount]
    profile: ScoringProfile
    def __init__(self, hits: _Optional[_Iterable[_Union[RecallHit, _Mapping]]] = ..., dropped: _Optional[_Iterable[_Union[DroppedCandidate, _Mapping]]] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., degraded: _Optional[_Iterable[str]] = ..., used_fallback: _Optional[bool] = ..., timings: _Optional[_Mapping[str, float]] = ..., accounts: _Optional[_Iterable[_Union[MemoryAccount, _Mapping]]] = ..., profile: _Optional[_Union[ScoringProfile, _Mapping]] = ...) -> None: ...

class RecallHit(_message.Message):
    __slots__ = ("memory", "score", "parts", "text", "tokens", "truncated", "found_by", "outdated")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    FOUND_BY_FIELD_NUMBER: _ClassVar[int]
    OUTDATED_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    score: float
    parts: ScoreParts
    text: str
    tokens: int
    truncated: bool
    found_by: str
    outdated: OutdatedMark
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., score: _Optional[float] = ..., parts: _Optional[_Union[ScoreParts, _Mapping]] = ..., text: _Optional[str] = ..., tokens: _Optional[int] = ..., truncated: _Optional[bool] = ..., found_by: _Optional[str] = ..., outdated: _Optional[_Union[OutdatedMark, _Mapping]] = ...) -> None: ...

class OutdatedMark(_message.Message):
    __slots__ = ("since", "is_in_part", "replaced_by")
    SINCE_FIELD_NUMBER: _ClassVar[int]
    IS_IN_PART_FIELD_NUMBER: _ClassVar[int]
    REPLACED_BY_FIELD_NUMBER: _ClassVar[int]
    since: _timestamp_pb2.Timestamp
    is_in_part: bool
    replaced_by: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_in_part: _Optional[bool] = ..., replaced_by: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoreParts(_message.Message):
    __slots__ = ("relevance", "cosine", "text", "recency", "importance", "frequency", "stale", "tag_boost", "neighbours", "time", "speaker", "rerank", "asking", "role", "instruction")
    RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    COSINE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    FREQUENCY_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    TAG_BOOST_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOURS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    ASKING_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    relevance: float
    cosine: float
    text: float
    recency: float
    importance: float
    frequency: float
    stale: float
    tag_boost: float
    neighbours: float
    time: float
    speaker: float
    rerank: float
    asking: float
    role: float
    instruction: float
    def __init__(self, relevance: _Optional[float] = ..., cosine: _Optional[float] = ..., text: _Optional[float] = ..., recency: _Optional[float] = ..., importance: _Optional[float] = ..., frequency: _Optional[float] = ..., stale: _Optional[float] = ..., tag_boost: _Optional[float] = ..., neighbours: _Optional[float] = ..., time: _Optional[float] = ..., speaker: _Optional[float] = ..., rerank: _Optional[float] = ..., asking: _Optional[float] = ..., role: _Optional[float] = ..., instruction: _Optional[float] = ...) -> None: ...

class DroppedCandidate(_message.Message):
    __slots__ = ("id", "reason", "in_favour_of", "score", "parts", "closeness", "floor")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    IN_FAVOUR_OF_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    CLOSENESS_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: str
    in_favour_of: str
    score: float
    parts: ScoreParts
    closeness: float
    floor: float
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[str] = ..., in_favour_of: _Optional[str] = ..., score: _Optional[float] = ..., parts: _Optional[_Union[ScoreParts, _Mapping]] = ..., closeness: _Optional[float] = ..., floor: _Optional[float] = ...) -> None: ...

class MemoryAccount(_message.Message):
    __slots__ = ("id", "reason", "in_favour_of", "score", "parts", "closeness", "floor", "rank")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    IN_FAVOUR_OF_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    CLOSENESS_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: str
    in_favour_of: str
    score: float
    parts: ScoreParts
    closeness: float
    floor: float
    rank: int
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[str] = ..., in_favour_of: _Optional[str] = ..., score: _Optional[float] = ..., parts: _Optional[_Union[ScoreParts, _Mapping]] = ..., closeness: _Optional[float] = ..., floor: _Optional[float] = ..., rank: _Optional[int] = ...) -> None: ...
