import { readClause } from "../extract/read-clause.ts";
import { wordsOf } from "../extract/words.ts";
import { type Facets, topicsOf } from "./facets.ts";

const joints = /[,;] (?:and |but )?| (?:and|but) /u;
/** A longer memory tells a story, of which no part stands alone. In UTF-16 units. */
const longestOfSeveral = 240;

/**
 * Whether a memory says something besides what a later statement speaks of, so that it may not end with it: `Joris does the ovens and
 * Fien the shop` is not over when Fien quits.
 */
export function saysOtherFacts(memory: string, { topics }: Pick<Facets, "topics">): boolean {
  const parts = memory.length > longestOfSeveral ? [] : memory.split(joints);
  if (parts.length < 2) return false;
  const topicsOfParts = parts.map((part) => topicsOf(part));
  const isSpokenOf = topicsOfParts.map((each) => [...each].some((topic) => topics.has(topic)));
  if (!isSpokenOf.includes(true)) return false;
  // The first part has the subject, and says something without a verb as well: `Our stack: Next.js on Vercel, Resend for mail`.
  return parts.some(
    (part, index) => isSpokenOf[index] === false && topicsOfParts[index]?.size !== 0 && (index === 0 || isFact(part)),
  );
}

function isFact(part: string): boolean {
  return readClause(wordsOf(part)).statement?.kind === "semantic";
}
