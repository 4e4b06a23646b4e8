"""Generated from loci/v1/kept_receipt.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.types.context import TokenUsage
from loci_client.types.receipt import Receipt
from loci_client.types.scope import SessionReference
from loci_client.v1 import kept_receipt_pb2
from loci_client.values import read_time


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class KeptReceiptSummary(Record[kept_receipt_pb2.KeptReceiptSummary]):
    """A context that was assembled, as a list of receipts shows it."""

    id: str = ""
    """A UUIDv7, as the answer with the context had it."""
    assemble_time: datetime.datetime
    subject: str = ""
    """Who asked for it."""
    scopes: tuple[Scope, ...] = ()
    """Whose memories and blocks it was made of, and whose its session is."""
    session: SessionReference | None = None
    """Whose turns it shows. Absent for messages that the caller gave."""
    layout: str = ""
    model: str | None = None
    usage: TokenUsage
    kept_items: int = 0
    """Items that stand in it whole."""
    shortened_items: int = 0
    """Items that stand in it shortened."""
    dropped_items: int = 0
    stable_prefix_hash: str = ""
    """SHA-256, lower-case hex."""
    stable_prefix_tokens: int = 0

    @staticmethod
    def _new() -> kept_receipt_pb2.KeptReceiptSummary:
        return kept_receipt_pb2.KeptReceiptSummary()

    @classmethod
    def from_proto(cls, message: kept_receipt_pb2.KeptReceiptSummary) -> KeptReceiptSummary:
        return cls(
            id=message.id,
            assemble_time=read_time(message.assemble_time),
            subject=message.subject,
            scopes=tuple([Scope.from_proto(value) for value in message.scopes]),
            session=SessionReference.from_proto(message.session) if message.HasField("session") else None,
            layout=message.layout,
            model=message.model if message.HasField("model") else None,
            usage=TokenUsage.from_proto(message.usage),
            kept_items=message.kept_items,
            shortened_items=message.shortened_items,
            dropped_items=message.dropped_items,
            stable_prefix_hash=message.stable_prefix_hash,
            stable_prefix_tokens=message.stable_prefix_tokens,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class KeptReceipt(Record[kept_receipt_pb2.KeptReceipt]):
    """What Loci knows of a context that it has assembled: ids, versions and numbers, and no text."""

    summary: KeptReceiptSummary
    receipt: Receipt
    """As the answer had it, without the sources of memories and without what recall left out."""
    prefix_sections: tuple[PrefixSection, ...] = ()
    """The sections that are wholly in the stable prefix, in order."""
    memories: tuple[MemoryVersion, ...] = ()
    """Of the items that are memories, each once."""

    @staticmethod
    def _new() -> kept_receipt_pb2.KeptReceipt:
        return kept_receipt_pb2.KeptReceipt()

    @classmethod
    def from_proto(cls, message: kept_receipt_pb2.KeptReceipt) -> KeptReceipt:
        return cls(
            summary=KeptReceiptSummary.from_proto(message.summary),
            receipt=Receipt.from_proto(message.receipt),
            prefix_sections=tuple([PrefixSection.from_proto(value) for value in message.prefix_sections]),
            memories=tuple([MemoryVersion.from_proto(value) for value in message.memories]),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PrefixSection(Record[kept_receipt_pb2.PrefixSection]):
    """Tells whether a section of the stable prefix is the same in another context."""

    name: str = ""
    hash: str = ""
    """The first 16 digits of the SHA-256 of its content, lower-case hex."""

    @staticmethod
    def _new() -> kept_receipt_pb2.PrefixSection:
        return kept_receipt_pb2.PrefixSection()

    @classmethod
    def from_proto(cls, message: kept_receipt_pb2.PrefixSection) -> PrefixSection:
        return cls(
            name=message.name,
            hash=message.hash,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryVersion(Record[kept_receipt_pb2.MemoryVersion]):
    """Which version of a memory a context was made of."""

    id: str = ""
    version: int = 0

    @staticmethod
    def _new() -> kept_receipt_pb2.MemoryVersion:
        return kept_receipt_pb2.MemoryVersion()

    @classmethod
    def from_proto(cls, message: kept_receipt_pb2.MemoryVersion) -> MemoryVersion:
        return cls(
            id=message.id,
            version=message.version,
        )._from(message)
