import { endBeforeJoint } from "./clause-joints.ts";
import { askedOfYou, orderLead } from "./order-leads.ts";
import { endsAsQuestion } from "./requests.ts";

/** `it down in my profile` */
const place =
  "(?: (?:it|this))?(?: down)?(?: (?:in|to|into|on|for) (?:my|your|our|the) (?:user )?(?:profile|memory|memories|notes?|files?|records?))";

const remembering =
  "(?:remind me|remember|note|keep in mind|bear in mind|don['\u2019]?t forget|do not forget|make a note|take note|memori[sz]e)";
/** These are done with much else: only where it is said that it is to be kept. */
const filing = "(?:save|store|write|put|add|record|keep|update)";
/** `Remember my sister` */
const oneself = "(?=(?:i|i['\u2019]?m|my|we|we['\u2019]?re|our)(?! ?['\u2019]s)(?!\\p{L}))";
/** What says of itself that it is told to be known, and nothing is asked for. */
const announcing =
  "(?:for (?:the record|your information|(?:my|your) (?:profile|notes|records))|(?:just )?so (?:that )?(?:you|u) know|fyi)(?:[,:]| -)? (?:that )?";

const asking = new RegExp(
  `(?:${askedOfYou}|${orderLead})(?:(?:${remembering}(?:${place}| down)?|${filing}${place})(?: that |: )|remember ${oneself}|(?:save|store) this: )`,
  "iu",
);
const telling = new RegExp(orderLead + announcing, "iu");

/** Behind what is told: `…, put it in his calendar too`, `…, write that down`. */
const askingBehind =
  /[,;.\u2013\u2014-] ?(?:(?:and|so|please|pls) ){0,2}(?:(?:put|write|note|mark|enter|jot|add|save|keep) (?:it|that|this) (?:down|(?:in|into|on|to) (?:my|our|the|his|her|their|your) (?:calendar|diary|notes?|profile|records?|memory))|note (?:it|that|this)|remember (?:it|that|this))(?: (?:too|as well|please|then|for me)){0,2}[.!]?$/iu;

/** Where what is told ends, when behind it stands that it is to be kept. */
export function endOfToldToBeKept(text: string): number | undefined {
  const place = askingBehind.exec(text.slice(-longestAsking))?.index;
  return place === undefined ? undefined : Math.max(0, text.length - longestAsking) + place;
}

/** In UTF-16 units. */
const longestAsking = 60;

/** Places in a sentence: where what is told begins, and where what stands before the request for it ends. */
export interface ToldToBeKept {
  readonly before: number;
  readonly start: number;
}

/**
 * What a sentence tells to be kept in mind, without the words that say so: `My flight is late, can you remind me that it's moved to
 * March 22?`, `For the record, we ship on Tuesdays`.
 */
export function toldToBeKept(text: string): ToldToBeKept | undefined {
  const found = asking.exec(text) ?? telling.exec(text);
  // `Remember that evening in Rome?` tells nothing.
  if (found === null || (endsAsQuestion(text) && !/ you /i.test(found[0]))) return undefined;
  return { before: endBeforeJoint(text, found.index), start: found.index + found[0].length };
}
