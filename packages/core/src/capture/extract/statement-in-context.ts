import { facetsOf } from "../judge/facets.ts";
import { acknowledged, isAskedOfUser, isLeftAlone } from "./acknowledgements.ts";
import { tellsTrouble } from "./confirmed-remedies.ts";
import { confirms } from "./confirmations.ts";
import { correctedPattern } from "./corrections.ts";
import { tellsHowThingsWork } from "./how-things-work.ts";
import { saidByEmoji } from "./emoji-answers.ts";
import { explanationOf } from "./explanations.ts";
import { leftToDo } from "./left-to-do.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { hasPronounForObject, isAboutPronoun } from "./pronouns.ts";
import { isBareAmount, isChangedAmount } from "./without-subject.ts";
import { contentOf } from "./read-clause.ts";
import type { Statement } from "./read-sentence.ts";
import type { StatementPlace } from "./statement-place.ts";
import { isNamedOnly } from "./named-only.ts";
import { withoutTailWords } from "./tail-words.ts";
import { inThirdPerson } from "./third-person.ts";
import { longestText, plainlySaid, type TurnStatement } from "./turn-statement.ts";
import { answerPattern, howThingsWork, leftToDoPattern } from "./unphrased-patterns.ts";
import { withName } from "./whom-pronouns-mean.ts";
import { leadingWords, ownSubjects } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

/** In words that mean something. */
const fewestOfItem = 2;

function saysEnough(words: readonly Word[]): boolean {
  const content = contentOf(words);
  return content.isConcrete && content.words >= fewestOfItem;
}

/** `Where does your wife work?` tells of whom `At Lumen, since 2020` is. */
function answersOfSomebody(question: string | undefined, answer: string): boolean {
  if (question === undefined || facetsOf(question).person === undefined) return false;
  const { person, doer, isOwn } = facetsOf(answer);
  return person === undefined && doer === undefined && !isOwn;
}

export function statementInContext(
  read: Statement,
  place: StatementPlace,
  earlier: readonly TurnStatement[],
): TurnStatement {
  const { turn, question, isFirst, company } = place;
  const left = place.isWithTools ? leftToDo(read.sentence.text) : undefined;
  if (left !== undefined) return statementOfWhatIsLeft(read, left, place);
  const { context, speaker, explainedBy, isQuestion, over, whom } = explanationOf(read, place, earlier);
  // `Yes, that's right` says nothing by itself.
  const emoji = saidByEmoji(read.sentence.text);
  const isConfirmed =
    read.refusal === "FILLER" &&
    question !== undefined &&
    confirms(question, emoji === undefined ? read.words : wordsOf(emoji));
  const told = emoji ?? (isConfirmed || read.said === "" ? read.sentence.text : withoutLeadWords(read.said));
  // What went on behind it is a statement of its own.
  const ended = withoutTailWords(told.replace(/[;,]$/u, ""));
  const said = inThirdPerson(whom === undefined ? ended : withName(ended, whom), "user", company);
  const tellsHow = place.isWithTools && read.refusal === undefined && tellsHowThingsWork(read.said);
  // What says something by itself needs no question in front of it; it still helps to tell what it is about.
  const isAnswerAlone =
    isQuestion &&
    over === undefined &&
    (read.pattern !== undefined || tellsHow) &&
    !isNamedOnly(read.said) &&
    !isAboutPronoun(read.words) &&
    !hasPronounForObject(read.words) &&
    !isBareAmount(read.words) &&
    !isChangedAmount(read.words) &&
    !answersOfSomebody(context, read.said);
  const lead =
    context === undefined || isAnswerAlone ? "" : `${inThirdPerson(withoutLeadWords(context), speaker, company)}: `;
  const last = earlier.at(-1);
  const replaces = last?.turn === turn && last.refusal === undefined && facetsOf(last.said).tellsEnd;
  // A turn that begins with a correction goes on with it.
  const goesOn = !isFirst && last?.turn === turn && last.isCorrection;
  const isCorrection = goesOn || place.corrects;
  const corrected = isCorrection ? correctedPattern(read, place.isWork) : read.pattern;
  const mayBeTaken = read.refusal === undefined || read.refusal === "VAGUE";
  const isTakenUp =
    isConfirmed ||
    (place.isItem && read.pattern === undefined && read.refusal === undefined && saysEnough(read.words)) ||
    (over !== undefined && read.pattern === undefined && mayBeTaken);
  const pattern =
    corrected ??
    (isTakenUp ? answerPattern : acknowledged(read, place, replaces)) ??
    (tellsHow ? howThingsWork : undefined);
  const refusal =
    pattern === read.pattern
      ? (read.refusal ??
        ((whom === undefined && isLeftAlone(read, place)) || (context === undefined && saysWhatWasMeant(read.words))
          ? "VAGUE"
          : undefined))
      : undefined;
  // What the assistant set to work on is over then. `My parcel came with a broken lid` stays true.
  const isOfUser = read.words.some(({ text }) => ownSubjects.has(text));
  const isTask = place.isWorkedOn && isFirst && !isOfUser && pattern?.kind === "semantic" && tellsTrouble(read.words);
  return {
    ...read,
    said: over ?? read.said,
    turn,
    company,
    context,
    explainedBy,
    text: (lead + said).slice(0, longestText),
    isCorrection,
    isReply: question !== undefined,
    isAnswer: isAskedOfUser(place) || pattern === answerPattern,
    isWithheld: false,
    pattern: isTask ? undefined : pattern,
    refusal: isTask ? "TRANSIENT" : refusal,
  };
}

/** It needs nothing to explain it, and words such as `tomorrow` tell when it is done, not that it is over then. */
function statementOfWhatIsLeft(read: Statement, left: string, { turn, company }: StatementPlace): TurnStatement {
  const text = `Left to do: ${inThirdPerson(left, "user", company)}`.slice(0, longestText);
  return { ...read, ...plainlySaid, said: left, turn, company, text, pattern: leftToDoPattern };
}

/** `Sorry, I meant Tuesday, not Monday`: says nothing without what was said before. */
function saysWhatWasMeant(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !leadingWords.has(text) && text !== "sorry" && text !== "wait");
  return said[0]?.text === "i" && said[1]?.text === "meant" && !ownSubjects.has(said[2]?.text ?? "");
}
