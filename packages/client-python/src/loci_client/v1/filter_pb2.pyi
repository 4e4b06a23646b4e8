from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FilterOperator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FILTER_OPERATOR_UNSPECIFIED: _ClassVar[FilterOperator]
    FILTER_OPERATOR_EQUALS: _ClassVar[FilterOperator]
    FILTER_OPERATOR_NOT_EQUALS: _ClassVar[FilterOperator]
    FILTER_OPERATOR_IN: _ClassVar[FilterOperator]
    FILTER_OPERATOR_NOT_IN: _ClassVar[FilterOperator]
    FILTER_OPERATOR_LESS_THAN: _ClassVar[FilterOperator]
    FILTER_OPERATOR_AT_MOST: _ClassVar[FilterOperator]
    FILTER_OPERATOR_GREATER_THAN: _ClassVar[FilterOperator]
    FILTER_OPERATOR_AT_LEAST: _ClassVar[FilterOperator]
    FILTER_OPERATOR_CONTAINS: _ClassVar[FilterOperator]
FILTER_OPERATOR_UNSPECIFIED: FilterOperator
FILTER_OPERATOR_EQUALS: FilterOperator
FILTER_OPERATOR_NOT_EQUALS: FilterOperator
FILTER_OPERATOR_IN: FilterOperator
FILTER_OPERATOR_NOT_IN: FilterOperator
FILTER_OPERATOR_LESS_THAN: FilterOperator
FILTER_OPERATOR_AT_MOST: FilterOperator
FILTER_OPERATOR_GREATER_THAN: FilterOperator
FILTER_OPERATOR_AT_LEAST: FilterOperator
FILTER_OPERATOR_CONTAINS: FilterOperator

class Filter(_message.Message):
    __slots__ = ("comparison", "all", "any")
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    ALL_FIELD_NUMBER: _ClassVar[int]
    ANY_FIELD_NUMBER: _ClassVar[int]
    NOT_FIELD_NUMBER: _ClassVar[int]
    comparison: FilterComparison
    all: FilterList
    any: FilterList
    def __init__(self, comparison: _Optional[_Union[FilterComparison, _Mapping]] = ..., all: _Optional[_Union[FilterList, _Mapping]] = ..., any: _Optional[_Union[FilterList, _Mapping]] = ..., **kwargs) -> None: ...

class FilterList(_message.Message):
    __slots__ = ("filters",)
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    filters: _containers.RepeatedCompositeFieldContainer[Filter]
    def __init__(self, filters: _Optional[_Iterable[_Union[Filter, _Mapping]]] = ...) -> None: ...

class FilterComparison(_message.Message):
    __slots__ = ("field", "operator", "values")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    field: str
    operator: FilterOperator
    values: _containers.RepeatedCompositeFieldContainer[Value]
    def __init__(self, field: _Optional[str] = ..., operator: _Optional[_Union[FilterOperator, str]] = ..., values: _Optional[_Iterable[_Union[Value, _Mapping]]] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("text", "number", "boolean")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    text: str
    number: float
    boolean: bool
    def __init__(self, text: _Optional[str] = ..., number: _Optional[float] = ..., boolean: _Optional[bool] = ...) -> None: ...
