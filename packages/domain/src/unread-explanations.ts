import type { UnreadReason } from "./capture.ts";

/** What words of a turn are that were not read, as words behind "it is", in those of every program that tells it. */
const unreadExplanations: Readonly<Record<UnreadReason, string>> = {
  RECALLED: "recalled memory",
  TOO_LONG: "beyond what is read of one turn",
  PASTED: "code, a letter, a conversation or the like",
  TEXT_TO_WORK_ON: "a text that the assistant was to work on",
  PROGRAM: "what a program wrote",
  OTHER_LANGUAGE: "another language than English, which a capture model reads",
};

/** The explanation of a reason that may come of a newer server. `undefined`: it is not known here. */
export function unreadExplanationOf(reason: string): string | undefined {
  return Object.hasOwn(unreadExplanations, reason) ? unreadExplanations[reason as UnreadReason] : undefined;
}
