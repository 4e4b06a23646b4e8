import { longestText } from "../extract/turn-statement.ts";
import { leavesUntold } from "./left-untold.ts";

const lead = " (before: ";
const joint = "; ";

/**
 * What a memory that is replaced tells and the new one does not, with what it had carried along itself, the newest first.
 *
 * @param said what the new one says, as it was said
 * @param isRelative it says by how much something is different, so that it needs the other one
 */
export function untoldOf(
  replaced: string,
  { said, isRelative }: { readonly said: string; readonly isRelative: boolean },
): readonly string[] {
  return partsOf(replaced).filter((part, index) => (isRelative && index === 0) || leavesUntold(said, part));
}

/**
 * The text of a memory that takes the place of another one, with what it leaves untold: `We moved to Vitest (before: We use React, tests
 * in Jest)`. `undefined`: that is too much.
 */
export function carryingAlong(text: string, untold: readonly string[]): string | undefined {
  if (untold.length === 0) return text;
  const whole = text + lead + untold.join(joint) + ")";
  return whole.length <= longestText ? whole : undefined;
}

/** Whether a memory carries along what another one told. */
export function carriesWords(memory: string): boolean {
  return memory.includes(lead) && memory.endsWith(")");
}

/** What a memory says, without what it carries along. */
export function ownWords(memory: string): string {
  return partsOf(memory)[0] ?? memory;
}

/** What a memory says, and what it carries along. */
function partsOf(memory: string): readonly string[] {
  if (!carriesWords(memory)) return [memory];
  const at = memory.indexOf(lead);
  return [memory.slice(0, at), ...memory.slice(at + lead.length, -1).split(joint)];
}
