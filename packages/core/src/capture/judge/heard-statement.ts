import { claimOf } from "../../recall/claim-words.ts";
import { clausesOf } from "../extract/sentences.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { namedInstead } from "./answered-otherwise.ts";
import { pairs } from "./changes.ts";
import { type EndedDoing, endedDoingOf } from "./ended-doing.ts";
import { type Ending, endingsOf } from "./endings.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { isForAWhile, isForOnce } from "./for-now.ts";
import { type GivenUp, givenUpIn } from "./given-up.ts";
import { ownSubjectOf } from "./own-subject.ts";
import { isTakenUpAgain } from "./resumption.ts";
import { type JudgedStatement, placeOf, pointsElsewhere } from "./spoken-of.ts";
import { tellsWhatWouldHaveBeen, withoutWhatCameLater } from "./what-happened.ts";

/** A statement with what is told of it, once for all memories that it is held against. */
export interface HeardStatement {
  readonly statement: JudgedStatement;
  /** Its words. */
  readonly words: readonly Word[];
  /** What it says. */
  readonly said: Facets;
  /** What its first clause says, without why. */
  readonly beginning: Facets;
  /** It is the first that is said to a question that leaves open what the answer is: `How often do you water them?` */
  readonly answersOpenly: boolean;
  /** What was said just before it. */
  readonly before: Facets;
  /** What explains it, as the question does that it answers. */
  readonly asked: Facets | undefined;
  /** What it names instead of what is known, where it was asked whether that still holds. */
  readonly instead: Facets | undefined;
  /** What it may be about, with what it says itself. */
  readonly spokenOf: Facets;
  /** The same, and what was said some turns before. What answers a question is about what it asks, and not about what the one before it asked. */
  readonly about: Facets;
  /** What one of its clauses says is over. */
  readonly endings: readonly Ending[];
  /** What it says is done no more, with what. */
  readonly endedDoing: EndedDoing | undefined;
  /** What it names as given up for another value. */
  readonly givenUp: readonly GivenUp[];
  /** What it says something of, where it begins with that. */
  readonly subject: ReadonlySet<string>;
  /** It holds for once or for a while, or would have been: nothing is over by it. */
  readonly isUnreal: boolean;
  /** `Every build still runs there` */
  readonly staysSo: boolean;
  /** It says that what it points to is different now, or who does that. */
  readonly saysWhatOf: boolean;
}

export function hearStatement(statement: JudgedStatement): HeardStatement {
  const spoken = withoutWhatCameLater(statement.said);
  const asked = statement.context === undefined ? undefined : facetsOf(statement.context);
  const told = ofWhomIsAsked(facetsOf(spoken), asked);
  const isTaken = (told.tellsChange || told.tellsEnd) && isTakenUpAgain(statement.rest);
  const said = isTaken ? { ...told, tellsChange: false, tellsEnd: false } : told;
  const words = wordsOf(statement.said);
  const passes = isForOnce(words) || isForAWhile(words);
  const isOver = !isTaken && !passes;
  const place = placeOf(statement);
  return {
    statement,
    words,
    said,
    beginning: facetsOf(beginningOf(spoken)),
    answersOpenly: statement.ahead.trim() === "" && openQuestion.test(statement.before),
    before: facetsOf(statement.before),
    asked,
    instead: passes ? undefined : namedInstead(statement.context, statement.said),
    spokenOf: facetsOf(place.spokenOf),
    about: facetsOf(asked === undefined ? place.earlier : statement.text),
    endings: isOver ? endingsOf(spoken) : [],
    endedDoing: endedDoingOf(spoken),
    givenUp: isOver ? givenUpIn(spoken) : [],
    subject: ownSubjectOf(statement.said),
    isUnreal: passes || (!said.tellsChange && tellsWhatWouldHaveBeen(words)),
    staysSo: claimOf(statement.said).words.some(({ word }) => staying.has(word)),
    saysWhatOf: (said.tellsChange || saysWhoDoes(statement.said)) && pointsElsewhere(statement.said),
  };
}

const openQuestion = /(?<!\p{L})(?:how|when|which|what|where|who)(?!\p{L})[^.!?]{1,160}\?\s*$/iu;

const reasoning = /\s(?:since|because|as|cause|cos|so|when)\s/iu;

/** `465` of `465, the landlord added heating` */
function beginningOf(said: string): string {
  const [first] = clausesOf(said);
  return first === undefined ? said : (first.text.split(reasoning, 1)[0] ?? first.text);
}

/** What is asked of somebody is answered of them. */
function ofWhomIsAsked(told: Facets, asked: Facets | undefined): Facets {
  const isOfOther = asked?.person !== undefined && !told.isOwn && told.person === undefined;
  return isOfOther ? { ...told, person: asked.person } : told;
}

const staying: ReadonlySet<string> = new Set("still remain remains unchanged".split(" "));

/** `Fundo Interiors does it` */
function saysWhoDoes(said: string): boolean {
  const words = wordsOf(said);
  return ["does", "do"].some((doing) => pairs(words, doing, "it"));
}
