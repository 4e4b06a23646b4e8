import type { CaptureReason } from "@loci/domain";
import type { ChosenOption } from "./chosen-options.ts";
import { withoutLeadWords } from "./lead-words.ts";
import type { Statement } from "./read-sentence.ts";
import type { StatementPlace } from "./statement-place.ts";
import { inThirdPerson } from "./third-person.ts";
import { longestText, type TurnStatement } from "./turn-statement.ts";
import { chosenPattern } from "./unphrased-patterns.ts";

/** What says nothing by itself may choose; what asks, supposes or is over today does not. */
export const mayChoose: ReadonlySet<CaptureReason | undefined> = new Set([undefined, "VAGUE", "FILLER", "OBVIOUS"]);

/** `The former` says what the question tells. */
export function choiceStatement(
  read: Statement,
  { question, asking, option, length }: ChosenOption,
  place: StatementPlace,
): TurnStatement {
  const { turn, company } = place;
  const said = option === "" ? withoutLeadWords(read.sentence.text) : option + read.sentence.text.slice(length);
  const lead = inThirdPerson(
    withoutLeadWords(question.replace(/[\s.!?]{1,9}$/, "")),
    asking.role === "user" ? "user" : "assistant",
    company,
  );
  return {
    ...read,
    said,
    turn,
    company,
    context: question,
    explainedBy: asking.turn,
    text: `${lead}: ${inThirdPerson(said, "user", company)}`.slice(0, longestText),
    isCorrection: false,
    isReply: true,
    isAnswer: true,
    isWithheld: false,
    pattern: read.pattern?.kind === "instinct" ? read.pattern : chosenPattern,
    refusal: undefined,
  };
}
