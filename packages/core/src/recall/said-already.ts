import { type DropReason, type Memory, roleOfSpeaker, type TurnRole } from "@loci/domain";
import { askingShare } from "./asking-turns.ts";
import { isConversationTurn } from "./conversation-turns.ts";
import { saidText, type SaidTexts } from "./said-texts.ts";

/** What the model is told in any case, so that no memory need repeat it. */
export interface ToldAnyway {
  /** The question, as it will be put. */
  readonly query: string;
  /** The messages that stand in the context word for word. */
  readonly messages: SaidTexts;
}

/**
 * Why a turn of a conversation is no knowledge for this question, or `undefined` when it may be:
 *
 * - `IN_HISTORY`: its words stand in the conversation that the model is given;
 * - `REPEATS_QUERY`: it asks the very same question;
 * - `NO_ANSWER`: all that it says is that its speaker does not know, or that an assistant has heard.
 */
export function saidAlready(
  memory: Pick<Memory, "provenance" | "origin" | "text">,
  told: ToldAnyway,
): DropReason | undefined {
  if (!isConversationTurn(memory)) return undefined;
  const content = contentOf(memory);
  if (content.length <= longestNoAnswer && noAnswer.test(content)) return "NO_ANSWER";
  if (content.length <= longestNoAnswer && roleOf(memory) === "assistant" && heard.test(content)) return "NO_ANSWER";
  if (told.messages.has(content)) return "IN_HISTORY";
  const isLikeQuery = Math.abs(content.length - told.query.length) <= 8;
  const isQuery = isLikeQuery && saidText(content) === saidText(told.query);
  return isQuery && askingShare(memory) === 1 ? "REPEATS_QUERY" : undefined;
}

function roleOf({ provenance }: Pick<Memory, "provenance">): TurnRole | undefined {
  return provenance && roleOfSpeaker(provenance);
}

/** What was said, without who said it. */
function contentOf({ text, provenance }: Pick<Memory, "provenance" | "text">): string {
  const speaker = provenance?.speaker;
  return speaker !== undefined && text.startsWith(`${speaker}: `) ? text.slice(speaker.length + 2) : text;
}

const longestNoAnswer = 120;

// English only: in other languages such turns stay.
const noAnswer =
  /^\s*(?:(?:sorry|hm+|well|oh|unfortunately|i'?m afraid)[,.\s]{1,3}){0,2}(?:but )?(?:i (?:do not|don['’]?t|did not|didn['’]?t) (?:know|remember|recall|have (?:any |that |this |enough |the )?(?:information|details?|memory|record|context))|no idea|i have no (?:idea|information|record|memory)|i['’]?m not sure|i am not sure)(?: (?:(?:about|of|on) )?(?:that|this|it))?(?: (?:yet|sorry|either|right now))?\s*[.!…]*\s*$/iu;

/** `Noted.`, `Got it, thank you!`, `...`; not `Done.`, which tells that something was done. */
const heard =
  /^[\s.,!…]*(?:(?:okay|ok|alright|all right|noted|got it|understood|will do|sure thing|sure|of course|great|perfect|lovely|nice|congratulations|congrats|thanks|thank you|you['’]?re welcome|no problem|my pleasure|anytime)(?:[\s.,!…]+|$))*$/iu;
