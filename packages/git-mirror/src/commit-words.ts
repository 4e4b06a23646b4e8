const unsafe = /[\u0000-\u001f\u007f-\u009f<>]/g;
const trimmedFromNames: ReadonlySet<string> = new Set(" .,:;\"'\\");
const trimmedFromReasons: ReadonlySet<string> = new Set(" \t\n\r\f\v");

/** What a change is described by. */
export interface DescribedChange {
  readonly label: string;
  readonly version: number;
  readonly removed: boolean;
  readonly reason?: string | undefined;
}

/** A subject as the name in a commit: what git would cut off or take for the address is not in it. */
export function personName(subject: string): string {
  return withoutEnds(subject.toWellFormed().replaceAll(unsafe, "_"), trimmedFromNames) || "unknown";
}

/** The message of a commit: the reason, else what was done, and which version of which block it is. */
export function commitMessage({ label, version, removed, reason = "" }: DescribedChange): string {
  const given = withoutEnds(reason.toWellFormed().replaceAll(/\r\n?/g, "\n"), trimmedFromReasons);
  // Git ends a message at a null character.
  const words = given.replaceAll("\0", "_") || `${removed ? "Delete" : "Update"} ${label}`;
  return `${words}\n\nBlock: ${label}\nVersion: ${version}\n`;
}

function withoutEnds(text: string, characters: ReadonlySet<string>): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.has(text.charAt(start))) start++;
  while (end > start && characters.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
