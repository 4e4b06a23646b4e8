import type { CapturedTurn } from "@loci/domain";

/** `Let's role play`, `let's do a scene` */
const proposing =
  /(?<!\p{L})(?:let['\u2019]?s|can we|could we|shall we|we could|wanna|i want to|i(?:['\u2019]d| would) like to|time to|time for|ready for) (?:(?:do|play|start|have|try|act|go on with|continue) )?(?:(?:an?|the|our|another|some|out|with) ){0,2}(?:(?:little|short|quick|new) )?(?:role[- ]?play(?:ing)?|scene|improv|play(?=[.,:!;]))/iu;
const namesPlay = /role[- ]?play/iu;
const ofSpeaker = /(?<!\p{L})I(?:['\u2019]m| am|['\u2019]ll be| will be| play) \p{L}/u;
const ofAssistant = /(?<!\p{L})you(?:['\u2019]re| are|['\u2019]ll be| will be| play|r) \p{L}/iu;
/** Who practises an interview tells of oneself. */
const ofOneself =
  /(?<!\p{L})(?:candidate|applicant|interview(?:er|ee)?|interviewing|myself|recruiter|examiner)(?!\p{L})/iu;
/** Who laughs, thanks or calls it off speaks as oneself again. */
const leaving =
  /^["'*\s]{0,3}(?:ok(?:ay)?|(?:ha){1,5}h?|lol|lmao|thanks|thank you|thx|ty|great|good|nice|cool|perfect|stop|pause|end|break|enough|wait|hold on|hang on|time ?out|out of character|ooc|back to|anyway|btw|by the way|can you|could you|please|let['\u2019]?s|serious(?:ly)?)(?!\p{L})/iu;
/** `Stop role play.`: says nothing else. */
const callingOff =
  /(?<!\p{L})(?:stop|end|pause|quit|leave|finish) (?:(?:the|this|our|with the) )?(?:role[- ]?play(?:ing)?|scene|game|playing)(?!\p{L})[^.!?\n]{0,40}/giu;

/** In turns of the user: who plays longer says so again. */
const longestPlay = 12;

/**
 * The turns in which the user speaks as somebody else, and from where on: `Let's role play. I am a patient, you are the nurse`, up to where
 * the user speaks as oneself again. Linear in the turns.
 *
 * @param writtenBy what of a turn its user has written. Default: all of it
 */
export function playedTurns(
  turns: readonly CapturedTurn[],
  writtenBy: (turn: CapturedTurn) => string = ({ content }) => content,
): ReadonlyMap<CapturedTurn, number> {
  const played = new Map<CapturedTurn, number>();
  let left = 0;
  for (const turn of turns) {
    if (turn.role !== "user" || turn.isRecalled === true) continue;
    const written = writtenBy(turn);
    const start = playStart(written);
    if (start !== undefined) left = longestPlay;
    else if (leaving.test(written.slice(0, longestLead))) left = 0;
    if (left === 0) continue;
    left--;
    played.set(turn, start ?? 0);
  }
  return played;
}

/** In UTF-16 units: so much of a turn tells who speaks. */
const longestLead = 40;
/** In UTF-16 units: roles are given in few words. */
const longestProposal = 600;

/** Where a turn proposes to play, and says who is who. */
function playStart(text: string): number | undefined {
  const found = proposing.exec(text.slice(0, longestProposal));
  if (found === null) return undefined;
  const roles = text.slice(found.index, found.index + longestProposal);
  const [isOne, isOther] = [ofSpeaker.test(roles), ofAssistant.test(roles)];
  const saysWho = namesPlay.test(roles) ? isOne || isOther : isOne && isOther;
  return saysWho && !ofOneself.test(roles) ? found.index : undefined;
}

const aside = /\([^()\n]{3,600}\)?/gu;

/**
 * With spaces for what is said in a play from a place on. What stands in brackets is said besides: `(ooc: British spelling, always)`.
 * As long as the text.
 */
export function withoutPlay(text: string, from: number): string {
  let shown = text.slice(0, from);
  for (const { 0: said, index } of text.matchAll(aside)) {
    if (index < from) continue;
    shown += " ".repeat(index - shown.length) + said;
  }
  return shown + " ".repeat(text.length - shown.length);
}

/** With spaces for what only calls a play off. As long as the text. */
export function withoutCallingOff(text: string): string {
  return text.replace(callingOff, (said) => " ".repeat(said.length));
}
