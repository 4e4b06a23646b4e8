import type { Instant } from "./instant.ts";
import type { Category } from "./memory.ts";

/** `semantic`: what is so. `instinct`: how the assistant is to behave from now on. */
export type CandidateKind = "semantic" | "instinct";

/** What captures make memories of. */
export const capturedCategories = ["fact", "preference", "decision", "entity", "procedure"] as const;

export type CapturedCategory = (typeof capturedCategories)[number];

/** The longest instructions for a capture model, in UTF-16 units. */
export const maxCaptureInstructions = 2_000;

/**
 * What becomes of a candidate: a new memory (`ADD`), one that takes the place of `target` (`UPDATE`), nothing but the end of
 * `target` (`DELETE`), or only evidence on what is known (`NOOP`).
 */
export type CaptureDecision = "ADD" | "UPDATE" | "DELETE" | "NOOP";

/**
 * `quarantined` waits for somebody who may approve; `rejected` is written nowhere. A quarantined `DELETE` is one of too many in one capture: it was
 * held back and ended nothing. There is no memory that could be approved, so it has no review. What was to be forgotten is forgotten by
 * asking once more, or by `memories.forget` with its `target`.
 */
export type CandidateState = "active" | "quarantined" | "rejected";

/** Why a candidate was refused or held back, in the order in which they are looked for. */
export const captureReasons = [
  "EVIDENCE_NOT_FOUND",
  "UNGROUNDED",
  "RECALLED",
  "ASSISTANT_ONLY",
  "QUESTION",
  "HYPOTHETICAL",
  "QUOTED",
  "RETRACTED",
  "TRANSIENT",
  "FILLER",
  "VAGUE",
  "OBVIOUS",
  "SECRET",
  "PERSONAL_DATA",
  "DIRECTIVE",
  "UNTRUSTED",
  "TOO_MANY_NEAR_IDENTICAL",
  "CONFLICT",
  "CATEGORY_LEFT_OUT",
] as const;

export type CaptureReason = (typeof captureReasons)[number];

/**
 * Why words of a user's turn were not read, in the order in which they are looked for: the turn is recalled memory; it is longer than what
 * is read of one; it is code, a letter, a conversation, a document between marks, a quotation or the like; a text that the assistant is to
 * work on; what a program reports, or tells an agent to be; or it is in another language than English.
 */
export const unreadReasons = [
  "RECALLED",
  "TOO_LONG",
  "PASTED",
  "TEXT_TO_WORK_ON",
  "PROGRAM",
  "OTHER_LANGUAGE",
] as const;

export type UnreadReason = (typeof unreadReasons)[number];

/** Words in a user's turn of which the rules have made nothing, as they take them for somebody else's, or do not know their language. */
export interface UnreadWords {
  readonly turn: number;
  readonly reason: UnreadReason;
  /** How many there are, in UTF-16 units without white space. */
  readonly units: number;
}

/** Words of a turn, as offsets in UTF-16 units of its own text. `end` is exclusive. */
export interface EvidencePlace {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
}

/** Where a candidate comes from. */
export interface CaptureEvidence extends EvidencePlace {
  /** The words that stand there, as the turn has them; without secrets and personal data. */
  readonly quote: string;
}

/** A turn of a session, as capture reads it. */
export interface CapturedTurn {
  /** From 1. */
  readonly turn: number;
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly content: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The text is known to be recalled memory. */
  readonly isRecalled?: boolean | undefined;
  /** Of tools that the turn calls or reports of. */
  readonly tools?: readonly string[] | undefined;
}

/** What capture made of a statement, whether it is remembered or not. */
export interface CaptureCandidate {
  readonly kind: CandidateKind;
  readonly category: Category;
  /**
   * In the third person, at most 600 UTF-16 units. Empty, as are `value` and the quotes of `evidence`, in reports for who may not
   * approve while `state` is quarantined and it was not approved; and once what was made of it is erased.
   */
  readonly text: string;
  readonly slot: string | null;
  readonly value: string | null;
  /** Whether it belongs to the user's scope or to the project's. */
  readonly scope: string;
  readonly state: CandidateState;
  /** `null` for one that was rejected. */
  readonly decision: CaptureDecision | null;
  /** The id of the memory that `UPDATE`, `DELETE` and `NOOP` are about. */
  readonly target: string | null;
  readonly reason: CaptureReason | null;
  readonly evidence: readonly CaptureEvidence[];
  /** 0 to 1. */
  readonly importance: number;
  /** Never fades: names, births, native languages, family, allergies. */
  readonly isStatic: boolean;
  /** It corrects what the assistant did. */
  readonly isCorrection: boolean;
  /** What a procedure is about: tools used in these turns, nouns of the rule. At most 8, in lower case. */
  readonly tags: readonly string[];
  /** From when on it holds, where that is said. */
  readonly validFrom: Instant | null;
  /** Until when it holds, where that is said: what is planned for a day is over behind it. */
  readonly validTo: Instant | null;
}

/** What capture made of some turns, in the order of the statements. */
export interface CaptureReport {
  readonly candidates: readonly CaptureCandidate[];
}
