import { capture, turnsOf } from "./captured.ts";

/** What is remembered of what a user says, and to the minute until when it holds. */
export function captured(
  ...said: readonly string[]
): readonly { readonly text: string; readonly until: string | undefined }[] {
  const lines = said.flatMap((text) => [`user: ${text}`, "assistant: Noted."]);
  return capture(turnsOf(...lines))
    .filter(({ decision }) => decision === "ADD")
    .map(({ text, validTo }) => ({
      text,
      until: validTo === null ? undefined : new Date(validTo).toISOString().slice(0, 16),
    }));
}

export const texts = (...said: readonly string[]): readonly string[] => captured(...said).map(({ text }) => text);
