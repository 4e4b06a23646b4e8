import { endsAsQuestion } from "./requests.ts";

/** The slot of what is left to do: what is said of it last holds. */
export const leftToDoSlot = "left to do";

const when = String.raw`(?: (?:for|on|until|by) (?:tomorrow|later|monday|tuesday|wednesday|thursday|friday|next (?:time|week|session)|the next session))`;
/** `Still to do:`, `todo for tomorrow:`, `next session:`, `left:`, `open:` */
const label = new RegExp(
  String.raw`^(?:(?:ok|okay|so|and|also|but|then|note to self|handover)[,:]? ){0,3}(?:(?:things? |what(?:'s| is) )?(?:still )?(?:left(?: to do| open)?|open(?: points| items| tasks| ends)?|to[ -]?dos?|missing|remaining|outstanding|pending)|next(?: session| time| steps?| up)|(?:for )?(?:tomorrow|(?:the )?next (?:time|session)))${when}?:\s+(?=\S)`,
  "iu",
);
/** `Seasons are in, still missing the seed script` */
const behindWhatIsDone =
  /(?<=[,;\u2013-]\s)still (?:to do|to come|missing|open|left|needs?|need)(?: is| are)?:?\s+(?=\S)/iu;
/** In UTF-16 units: so much of a sentence tells what it is. */
const longestLead = 160;

/** What somebody says at the end of a piece of work that is left to do. `undefined`: the sentence says nothing of that. */
export function leftToDo(sentence: string): string | undefined {
  if (endsAsQuestion(sentence)) return undefined;
  const lead = sentence.slice(0, longestLead);
  const found = label.exec(lead) ?? behindWhatIsDone.exec(lead);
  return found === null ? undefined : sentence.slice(found.index + found[0].length).trim();
}
