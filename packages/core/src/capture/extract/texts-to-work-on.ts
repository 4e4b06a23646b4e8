import { blank } from "./blank.ts";
import { isOwnText } from "./pasted-letters.ts";
import { withoutQuotations } from "./quotations.ts";

const kindOfText =
  "(?:texts?|pages?|web ?sites?|articles?|mails?|emails?|e-mails?|messages?|letters?|posts?|paragraphs?|sentences?|documents?|docs?|transcripts?|chats?|conversations?|comments?|reviews?|tickets?|abstracts?|passages?|excerpts?|threads?|tweets?|speech|essays?|reports?|stor(?:y|ies)|contracts?|quotes?|logs?|poems?|lyrics|html|grammar|spelling|typos|wording)";
const meant = "(?:this|that|these|those|it|the following)";
/** Between two words of one sentence. */
const within = String.raw`[^:.!?\n]`;
const wordEnd = String.raw`(?![\p{L}\p{N}])`;

/** `When you translate: always use British spelling` says how it is done, whenever it is. */
const condition = String.raw`(?<!\p{L})(?:when|whenever|if|once|while|before|after|until|unless) (?:i (?:ask|tell|want) )?`;
/** What stands before an order: nothing, or `please`, `can you`. `We want to rewrite the service` is none, nor is `Let me summarize`. */
const lead = String.raw`(?:^|[.!?:;,]\s{1,3}|(?<!\p{L})(?:please|pls|plz|kindly|and|then|now|(?<!${condition})you(?: to)?|(?<!let )me(?: to)?) )`;
/** Orders that are given for a text alone, */
const forTexts = `(?:translate|summari[sz]e|sum up|paraphrase|rephrase|reword|rewrite|proof-?read|extract|tl;?dr)${wordEnd}`;
/** and those that are given for anything: a text has to be named. */
const forAnything = `(?:explain|analy[sz]e|review|classify|categori[sz]e|label|correct|fix|polish|edit|improve|check|grade|critique|interpret|read|look (?:at|over|through)|(?:reply|respond) to|answer|shorten|condense|simplify|format|convert|clean up|(?:give|write|draft|make) (?:me )?an? (?:summary|translation|reply|answer)|tell me what|what does|what do you (?:think|make) of|what is|what should i (?:answer|reply|say|write))${wordEnd}`;

/** `Please correct that: I live in Bergen` corrects what was said before. */
const correctsBefore = String.raw`(?:correct|fix) (?:that|it)\s{0,2}:`;
/** `Please translate this:`, `Can you fix the grammar of the following text:` */
const orderBeforeColon = new RegExp(
  String.raw`${lead}(?:${forTexts}${within}{0,120}|(?!${correctsBefore})${forAnything}${within}{0,60}?(?<!\p{L})(?:${meant}|${kindOfText})${wordEnd}${within}{0,60}):(?!\p{L}|\/\/|\d)`,
  "iu",
);
/** `Summarize this page`, alone on its line or at its end. */
const orderAtEnd = new RegExp(
  String.raw`^\s{0,8}tl;?dr[.?!:]?\s{0,8}$|${lead}(?:${forTexts}|${forAnything})${within}{0,60}?(?<!\p{L})(?:${meant}(?: \p{L}{1,20})? )?(?:${kindOfText}|the following)${wordEnd}${within}{0,60}[.?!]?\s{0,8}$|${lead}${forTexts}${within}{0,20}?(?<!\p{L})${meant}${wordEnd}${within}{0,60}[.?!]?\s{0,8}$`,
  "iu",
);
/** `Summarize this page`, `translate the mail`: a text is meant that stands below. */
const pointsBelow = new RegExp(
  String.raw`(?<!\p{L})(?:${meant}|below|here|got|received|found|copied)${wordEnd}|${lead}${forTexts}`,
  "iu",
);
/** `Here is the transcript:`, `I got this mail today.`, `The page says:` */
const announced = String.raw`(?<!\p{L})(?:here(?:['\u2019]?s| is| are)|this is|these are|below is|(?:got|received|found|copied) this)${wordEnd}${within}{0,40}?(?<!(?:my|our) )(?<!\p{L})${kindOfText}${wordEnd}${within}{0,60}`;
const announcement = new RegExp(
  String.raw`(?:${announced}|(?<!\p{L})(?:(?:the|this|that|his|her|their) ${kindOfText} (?:says|said|reads|was|is)|(?:sent|wrote|forwarded|copied|pasted)(?: (?:me|us))? this(?: from ${within}{1,40})?|${kindOfText} (?:body|text|content))):(?!\p{L}|\/\/|\d)`,
  "iu",
);
const announcementAtEnd = new RegExp(String.raw`${announced}[.?!]?\s{0,8}$`, "iu");
/** `Translate the text above`, `Is this phishing?`: below what is meant. */
const orderBehind = new RegExp(
  String.raw`^(?:${forTexts}|${within}{0,40}${lead}${forTexts})${within}{0,60}?(?<!\p{L})(?:${meant}|above)${wordEnd}|^(?:summari[sz]e|tl;?dr|translate)${within}{0,30}$|^${within}{0,40}?${lead}${forAnything}${within}{0,60}?(?<!\p{L})(?:${meant} ${kindOfText}|${kindOfText} above|the above)${wordEnd}|^(?:is|are) (?:this|that|it|these)(?: ${kindOfText})? (?:an? )?(?:phishing|spam|scam|fake|genuine|legit|legitimate|real)${wordEnd}`,
  "iu",
);

/** So much of a line tells whether it asks for something, in UTF-16 units. */
const longestLine = 400;
const longestOrderBehind = 300;

/**
 * With spaces for a text that is given to be translated, summarized, checked or answered: `I` is in it whoever wrote it, and what it orders
 * nobody has asked for. As it has no end that could be told, it goes to the end of the turn, or is all that stands above such an order.
 * What one wrote oneself stays, and so does what stands behind a text that marks its own end. As long as the text, and takes time linear in it.
 *
 * @param content the turn
 * @param written the turn with spaces for what nobody says
 */
export function withoutTextsToWorkOn(content: string, written: string): string {
  const spoken = withoutQuotations(written);
  const start = startOfText(content, written, spoken) ?? written.length;
  const before = written.slice(0, start);
  const order = startOfOrderBehind(before);
  return blank(before.slice(0, order)) + before.slice(order) + blank(written.slice(start));
}

function startOfText(content: string, written: string, spoken: string): number | undefined {
  let place = 0;
  for (const line of written.split("\n")) {
    const begin = line.slice(0, longestLine);
    const colon = orderBeforeColon.exec(begin) ?? announcement.exec(begin);
    const isEnd =
      colon === null && line.length <= longestLine && (orderAtEnd.test(begin) || announcementAtEnd.test(begin));
    const end = colon === null ? (isEnd ? line.length : undefined) : colon.index + colon[0].length;
    if (end !== undefined && !isOwnText(begin) && (!isEnd || pointsBelow.test(begin) || hasGap(content, end + place))) {
      const first = place + end + content.slice(place + end).search(/\S/u);
      if (first >= place + end && isHeard(spoken, first)) return place + end;
    }
    place += line.length + 1;
  }
  return undefined;
}

/** `Review the PR comments`, and on the next line `Never push to main`: what is meant is somewhere else, where no gap stands before the text. */
function hasGap(content: string, place: number): boolean {
  return /^[ \t]{0,8}\n[ \t]{0,8}\n/u.test(content.slice(place, place + longestGap));
}

/** In UTF-16 units. */
const longestGap = 20;

/** Code, letters and quotations mark their own end. */
function isHeard(spoken: string, place: number): boolean {
  const first = spoken[place] ?? "";
  return first.trim() !== "" && first !== ">";
}

/** 0: there is none. */
function startOfOrderBehind(text: string): number {
  const end = text.trimEnd().length;
  const gap = text.lastIndexOf("\n", end);
  const order = text.slice(gap + 1, end);
  return gap >= 0 && order.length <= longestOrderBehind && orderBehind.test(order.trimStart()) ? gap : 0;
}
