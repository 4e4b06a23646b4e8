import type { CapturedTurn } from "@loci/domain";
import { allSteps, type Steps } from "../../recall/steps.ts";
import { acceptedOffer } from "./accepted-offers.ts";
import { answeredQuestion } from "./answered-question.ts";
import { asidesTold, withoutLooseBrackets, withoutOuterBrackets } from "./bracketed-asides.ts";
import { choiceStatement, mayChoose } from "./choice-statement.ts";
import { type ChosenOption, chosenOption } from "./chosen-options.ts";
import { type Company, companyOf } from "./company.ts";
import { confirmedRemedy, tellsTrouble, type ToldTrouble } from "./confirmed-remedies.ts";
import { behindCorrection, isCorrecting, isWorkDone } from "./corrections.ts";
import { factsOfTheirOwn } from "./facts-of-their-own.ts";
import { joinedInTurn } from "./joined-statements.ts";
import { guestsIn, saidByGuest } from "./guests.ts";
import { isInvitation } from "./invitations.ts";
import { isListItem, ofListItem } from "./list-items.ts";
import { takenOffer } from "./offer-statement.ts";
import { withoutMovedPlans } from "./moved-plans.ts";
import { personNamedIn } from "./person-statement.ts";
import { withoutQuotations } from "./quotations.ts";
import { withoutRetracted } from "./retractions.ts";
import { playedTurns, withoutCallingOff, withoutPlay } from "./role-play.ts";
import { withoutRunOns } from "./run-ons.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { withStandingTails } from "./standing-tails.ts";
import { exchangesOf, silence } from "./spoken-turns.ts";
import { statementInContext } from "./statement-in-context.ts";
import { turnReader } from "./turn-reader.ts";
import { withoutTasksAtHand } from "./tasks-at-hand.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { withoutFiction } from "./without-fiction.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";
import { type TurnReadings, turnReadings } from "./words-of-people.ts";
import { wordGroups } from "./word-groups.ts";
import { wordsOf } from "./words.ts";

/**
 * The statements of the user's turns, those that are refused as well, in order.
 *
 * @param known whom the user is known to speak for who says `we`: counts where the turns hardly tell
 */
export function statementsOf(turns: readonly CapturedTurn[], known?: Company): readonly TurnStatement[] {
  return allSteps(statementSteps(turns, known));
}

/**
 * The same sentence by sentence: a session may have thousands.
 *
 * @param readings of these turns, where they are read for something else as well
 */
export function* statementSteps(
  turns: readonly CapturedTurn[],
  known?: Company,
  readings: TurnReadings = turnReadings(turns),
): Steps<readonly TurnStatement[]> {
  const found: TurnStatement[] = [];
  let hasTold = false;
  const company = companyOf(turns, known);
  const writtenBy = (turn: CapturedTurn): string => readings(turn).words;
  let trouble: ToldTrouble | undefined;
  const played = playedTurns(turns, writtenBy);
  const exchanges = exchangesOf(turns, writtenBy);
  const isWithTools = [...exchanges.values()].some(({ isWorkedOn }) => isWorkedOn);
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "user" || turn.isRecalled === true) continue;
    const ofEarlierTurns = found.length;
    const { before, asking, replies, isWorkedOn } = exchanges.get(turn) ?? silence;
    // Behind what a tool returned, `that` points there.
    const lastSaid = before !== undefined && before === turns[index - 1] ? lastToldBy(before.content) : undefined;
    const written = writtenBy(turn);
    const told = withoutFiction(withoutQuotations(written));
    const playedFrom = played.get(turn);
    const spoken = playedFrom === undefined ? withoutCallingOff(told) : withoutPlay(told, playedFrom);
    const read = turnReader(spoken);
    const firstAsked = found.findLastIndex((statement) => statement.turn !== asking) + 1;
    const isWork = before !== undefined && isWorkDone(found.slice(firstAsked));
    const sentences = withoutRunOns(withoutLooseBrackets(withStandingTails(sentencesOf(written), written))).map(
      withoutOuterBrackets,
    );
    const question = before === undefined ? undefined : answeredQuestion(before.content, sentences[0]?.text);
    const mayOffer = before !== undefined && before.isRecalled !== true && playedFrom === undefined;
    const offering = mayOffer ? before : undefined;
    const offer = offering && acceptedOffer(offering.content, sentences, company);
    if (offering !== undefined && offer !== undefined)
      found.push(takenOffer(offer, sentences, { turn, before: offering, company }));
    const remedy = trouble && before && confirmedRemedy(trouble, sentences, { turn, before, company });
    if (remedy !== undefined) {
      found.push(remedy);
      trouble = undefined;
    }
    if (isWorkedOn) trouble = troubleTold(turn, sentences, written) ?? trouble;
    const isList = sentences.filter(({ text }) => isListItem(text)).length > 1;
    const waiting = sentences.slice(offer?.taking ?? 0).toReversed();
    for (let isFirst = offer === undefined; waiting.length > 0; isFirst = false) {
      const [sentence, second] = factsOfTheirOwn(waiting.pop() as Sentence, read);
      if (second !== undefined) waiting.push(second);
      const isAnswer = isFirst && before !== undefined;
      const item = ofListItem(sentence);
      const said = isAnswer ? behindCorrection(item) : item;
      const heard = read(said);
      const corrects = isAnswer && isCorrecting(said === item ? heard.words : wordsOf(sentence.text));
      const chosen =
        isFirst && offering !== undefined
          ? (chosenOption(offering, sentence.text) ?? chosenOfAsked(asking, sentence.text))
          : undefined;
      const asked = isFirst ? question : undefined;
      const isItem = isList && isListItem(sentence.text);
      const place = {
        turn,
        before,
        question: asked,
        lastSaid,
        replies,
        isWorkedOn,
        isWithTools,
        isFirst,
        isAllOwn: written === turn.content,
        hasTold,
        isItem,
        corrects,
        isWork,
        company,
      };
      const stated =
        chosen !== undefined && mayChoose.has(heard.refusal)
          ? choiceStatement(heard, chosen, place)
          : statementInContext(heard, place, found);
      found.push(stated);
      waiting.push(...asidesTold(sentence, read, stated.refusal));
      const named = stated.pattern === undefined ? personNamedIn(stated, spoken, found) : undefined;
      if (named !== undefined) found.push(named);
      yield;
    }
    hasTold ||= found
      .slice(ofEarlierTurns)
      .some(({ pattern, refusal }) => pattern !== undefined && refusal === undefined);
  }
  const told = withoutTasksAtHand(found, (turn) => exchanges.get(turn));
  const stated = joinedInTurn(withoutRetracted(withoutMovedPlans(told)));
  const guests = guestsIn(turns, writtenBy);
  return stated.map((statement) => {
    const guest = guests.get(statement.turn);
    return guest === undefined ? statement : saidByGuest(statement, guest);
  });
}

/** Of what the user had asked about before the assistant answered: `Supabase or Firebase?` */
function chosenOfAsked(asking: CapturedTurn | undefined, answer: string): ChosenOption | undefined {
  return asking !== undefined && asking.isRecalled !== true ? chosenOption(asking, answer) : undefined;
}

/** What somebody says does not work, or says to what a program printed of it. What is ordered is no trouble. */
function troubleTold(turn: CapturedTurn, sentences: readonly Sentence[], written: string): ToldTrouble | undefined {
  const told = sentences.find(({ text }) => {
    const words = wordsOf(text);
    return tellsTrouble(words) && wordGroups["verb"]?.has(words[0]?.text ?? "") !== true;
  });
  const leading = written === turn.content ? undefined : sentences[0];
  const said = (told ?? leading)?.text;
  return said === undefined ? undefined : { turn, said };
}

/** What an assistant's turn says last, besides code and that more may be asked. */
function lastToldBy(content: string): string | undefined {
  return sentencesOf(withoutPastedLines(content)).findLast(({ text }) => !isInvitation(text))?.text;
}
