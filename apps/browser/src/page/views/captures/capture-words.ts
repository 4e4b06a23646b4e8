import type { CaptureCandidate, UnreadWords } from "@loci/api-web";
import { type CaptureReason, unreadExplanationOf } from "@loci/domain";

/** Why a statement was refused or held back, as words behind "it". */
const reasons: Readonly<Record<CaptureReason, string>> = {
  EVIDENCE_NOT_FOUND: "cites words that do not stand in the turns",
  UNGROUNDED: "has a number, a date or a name that was not said",
  RECALLED: "repeats what was recalled",
  ASSISTANT_ONLY: "was said by the assistant alone",
  QUESTION: "is a question",
  HYPOTHETICAL: "says what would be, not what is",
  QUOTED: "is what somebody else says",
  RETRACTED: "was taken back later on",
  TRANSIENT: "is so for a short time only",
  FILLER: "says nothing",
  VAGUE: "says too little",
  OBVIOUS: "goes without saying",
  SECRET: "holds a secret",
  PERSONAL_DATA: "holds personal data",
  DIRECTIVE: "tells the assistant what to do, in words that are not the user's",
  UNTRUSTED: "comes of a tool, a file or the web",
  TOO_MANY_NEAR_IDENTICAL: "is known in too many nearly equal forms",
  CONFLICT: "contradicts what is remembered",
  CATEGORY_LEFT_OUT: "is of a kind that its session leaves out",
};

/** What was decided, in short; the name that programs get stands beside it. */
const decisions: Readonly<Record<string, string>> = {
  ADD: "is new",
  UPDATE: "takes the place of a memory",
  DELETE: "ends a memory",
  NOOP: "was known already",
};

/** What was not read of a turn, for people. */
export function unreadText({ turn, reason, units }: UnreadWords): string {
  return `turn ${turn}: ${units} characters, as it is ${unreadExplanationOf(reason) ?? reason}`;
}

/** What became of a statement, for people. */
export interface CandidateVerdict {
  /** As programs have it: `ADD`, `NOOP`, `QUESTION`. */
  readonly name: string;
  readonly says: string;
  readonly look: "good" | "warn" | "danger" | "";
}

export function verdictOf({ state, decision, reason }: CaptureCandidate): CandidateVerdict {
  const why = reason !== undefined && Object.hasOwn(reasons, reason) ? reasons[reason as CaptureReason] : undefined;
  if (state === "rejected")
    return { name: reason ?? "REJECTED", says: `refused: it ${why ?? "is not remembered"}`, look: "danger" };
  const name = decision ?? "?";
  const says = `it ${Object.hasOwn(decisions, name) ? decisions[name] : "was decided otherwise"}`;
  // Without a memory in the place of what it ends there is nothing to approve, and so no review.
  if (state === "quarantined" && name === "DELETE")
    return {
      name: `${name} TOO_MANY_ENDINGS`,
      says: `${says}, and was held back: it is one of too many in one capture. If it is right, forget the memory, or say in it until when it held.`,
      look: "warn",
    };
  if (state === "quarantined")
    return {
      name: `${name} ${reason ?? "APPROVAL_REQUIRED"}`,
      says: `${says}, and waits: it ${why ?? "takes an approval"}`,
      look: "warn",
    };
  return { name, says, look: name === "NOOP" ? "" : "good" };
}

/** Why the words of a statement are not there. */
export function missingWords({ state, reason }: CaptureCandidate): string {
  if (reason === "SECRET" || reason === "PERSONAL_DATA") return "Not kept: it holds what is refused.";
  if (state === "quarantined") return "For those who may approve: it waits, or was rejected.";
  return "Not there any more: it was erased.";
}
