"""Generated from loci/v1/capture_service.proto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from loci_client.record import Record
from loci_client.types.capture import CaptureJob, MemoryReview
from loci_client.v1 import capture_service_pb2


ReviewDecision = Literal["unspecified", "approve", "reject"]
"""What becomes of a memory that waits."""
REVIEW_DECISION_NAMES: Final[dict[int, ReviewDecision]] = {
    0: "unspecified",
    1: "approve",
    2: "reject",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CapturePage(Record[capture_service_pb2.ListCapturesResponse]):
    """A page of captures."""

    captures: tuple[CaptureJob, ...] = ()
    """Without their outcomes."""
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> capture_service_pb2.ListCapturesResponse:
        return capture_service_pb2.ListCapturesResponse()

    @classmethod
    def from_proto(cls, message: capture_service_pb2.ListCapturesResponse) -> CapturePage:
        return cls(
            captures=tuple([CaptureJob.from_proto(value) for value in message.captures]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ReviewPage(Record[capture_service_pb2.ListReviewsResponse]):
    """A page of reviews."""

    reviews: tuple[MemoryReview, ...] = ()
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> capture_service_pb2.ListReviewsResponse:
        return capture_service_pb2.ListReviewsResponse()

    @classmethod
    def from_proto(cls, message: capture_service_pb2.ListReviewsResponse) -> ReviewPage:
        return cls(
            reviews=tuple([MemoryReview.from_proto(value) for value in message.reviews]),
            next_page_token=message.next_page_token,
        )._from(message)
