import type { CaptureCandidate, CaptureReason } from "@loci/domain";
import { ownWords } from "./judge/carried-words.ts";
import { stopWords } from "../text/stop-words.ts";
import type { CaptureInput } from "./capture-input.ts";
import { withoutQuotations } from "./extract/quotations.ts";
import { asCarriedOut } from "./extract/orders-carried-out.ts";
import { toldToBeForgotten } from "./extract/told-to-be-forgotten.ts";
import { leadingWords } from "./extract/word-kinds.ts";
import { type Word, wordsOf } from "./extract/words.ts";
import { isAnsweredOtherwise, namedInstead } from "./judge/answered-otherwise.ts";
import { differingFamily } from "./judge/differing-values.ts";
import { endingsOf } from "./judge/endings.ts";
import { facetsOf } from "./judge/facets.ts";
import { givenUpIn } from "./judge/given-up.ts";
import { isAllOf } from "./judge/left-untold.ts";
import { saysOtherFacts } from "./judge/other-facts.ts";
import type { ReadMemory } from "./judge/read-memory.ts";
import { judged } from "./judged-statement.ts";
import type { ScreenedStatement } from "./screened-statement.ts";

/** What is not worth remembering by itself may say that something known is over, or different: `Forget the oak!`, `46 now` */
export function closing(
  input: CaptureInput,
  screened: ScreenedStatement,
  reason: CaptureReason,
  open: ReadonlyMap<string, ReadMemory>,
): CaptureCandidate | undefined {
  const { statement } = screened;
  const instead = namedInstead(statement.context, statement.said);
  const isSaid = reason === "VAGUE" || reason === "TRANSIENT" || (reason === "FILLER" && instead !== undefined);
  if (!isSaid || screened.text === "") return undefined;
  // Of what is told of a day nothing is kept, and so nothing of it is said.
  const said = statement.said === "" ? withoutQuotations(statement.sentence.text) : statement.said;
  const endings = endingsOf(said).filter(({ over }) => !endsTalkAlone(over.words));
  const isEnd = endings.length > 0;
  // `A window seat?`, `aisle, my knees got worse`; but `we met on Wednesday because of the holiday` is told of a day.
  const { tellsChange, values } = facetsOf(said);
  const givesOther = reason === "VAGUE" && (tellsChange || statement.isReply) && values.size > 0;
  if (!isEnd && instead === undefined && !givesOther && !givesNewValue(said)) return undefined;
  const candidate = judged(input, { ...screened, statement: { ...statement, said } }, open);
  const known = open.get(candidate.target ?? "");
  if (known === undefined || candidate.decision === "NOOP") return undefined;
  const isOtherwise = isAnsweredOtherwise(instead, facetsOf(statement.context ?? ""), known);
  const isOther = givesOther && differingFamily(known.facets, facetsOf(said), false) !== undefined;
  if (candidate.decision === "UPDATE" && (isOtherwise || isOther || replacesValue(said, known)))
    return { ...candidate, text: asCarriedOut(candidate.text) };
  if (!isEnd) return undefined;
  // `She swapped handball for judo`
  const isExchanged = candidate.decision === "UPDATE" && endings.some(({ isExchange }) => isExchange);
  if (isExchanged) return candidate;
  const isPart = !endings.every(({ over }) => isAllOf(known, over));
  const ended = { ...candidate, text: ownWords(candidate.text), decision: "DELETE" } as const;
  const isForgotten = toldToBeForgotten(statement.sentence.text) !== undefined;
  // `Stopped the melatonin` is worth as much as the rest of what it ends.
  if (!isForgotten && !asksToForget(said)) return isPart ? candidate : ended;
  // What says otherwise is not what is to be forgotten, nor is one fact of two.
  const saysOther = isForgotten && candidate.decision === "UPDATE" && !isPart;
  return saysOther || endings.some(({ over }) => saysOtherFacts(ownWords(known.memory.text), over)) ? undefined : ended;
}

/** `Stop asking and show me the plan`: says to the assistant how to talk, and of nothing that it is over. */
function endsTalkAlone(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => talk.has(text)) &&
    words.every(({ text }) => talk.has(text) || stopping.has(text) || stopWords.has(text))
  );
}

const stopping: ReadonlySet<string> = new Set("stop please repeat myself".split(" "));
const talk: ReadonlySet<string> = new Set(
  "asking talking telling saying showing guessing explaining repeating apologizing apologising making questions requests".split(
    " ",
  ),
);

const forgetting: ReadonlySet<string> = new Set("forget delete erase remove".split(" "));

/** `Please forget where I live` */
function asksToForget(said: string): boolean {
  const first = wordsOf(said).find(({ text }) => !leadingWords.has(text) && text !== "please");
  return forgetting.has(first?.text ?? "");
}

/** `Forget everything about billing` ends whatever is known of it, and not only what is nearest. */
export function* alsoEnded(
  input: CaptureInput,
  screened: ScreenedStatement,
  open: Map<string, ReadMemory>,
  first: CaptureCandidate,
): Generator<CaptureCandidate> {
  let ended: CaptureCandidate | undefined = first;
  while (ended?.decision === "DELETE") {
    open.delete(ended.target ?? "");
    ended = closing(input, screened, "VAGUE", open);
    if (ended?.decision === "DELETE") yield ended;
  }
}

/** `74 instead of 90`, `46 now`: what gives a known memory another value is worth as much as the memory is. */
function givesNewValue(said: string): boolean {
  const { tellsChange, numbers } = facetsOf(said);
  return (tellsChange && numbers.size > 0) || givenUpIn(said).length > 0;
}

function replacesValue(said: string, { facets }: ReadMemory): boolean {
  return givenUpIn(said).length > 0 || (givesNewValue(said) && facets.numbers.size > 0);
}
