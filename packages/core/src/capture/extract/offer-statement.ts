import type { CapturedTurn } from "@loci/domain";
import type { AcceptedOffer } from "./accepted-offers.ts";
import type { Company } from "./company.ts";
import type { Sentence } from "./sentences.ts";
import { longestText, plainlySaid, type TurnStatement } from "./turn-statement.ts";

/** The offer of the assistant that the first sentences of a turn take, as a statement of the user. */
export function takenOffer(
  { text, said, words, offered, taking, pattern }: AcceptedOffer,
  sentences: readonly Sentence[],
  { turn, before, company }: { readonly turn: CapturedTurn; readonly before: CapturedTurn; readonly company: Company },
): TurnStatement {
  const [{ start }, { end }] = [sentences[0] as Sentence, sentences[taking - 1] as Sentence];
  return {
    ...plainlySaid,
    sentence: { text: turn.content.slice(start, end), start, end },
    words,
    said,
    text: text.slice(0, longestText),
    turn,
    company,
    pattern,
    offered: { turn: before.turn, start: offered.start, end: offered.end, quote: offered.text },
    explainedBy: before.turn,
  };
}
