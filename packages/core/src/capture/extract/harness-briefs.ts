import { blank } from "./blank.ts";
import { withoutQuotations } from "./quotations.ts";
import { sentencesOf } from "./sentences.ts";
import { speaksOfOneself } from "./speaking-of-oneself.ts";

/** What the assistant is, has, can and gets: a person who knows it says it seldom, and programs begin with it. */
const toldOfAssistant =
  /(?<!\p{L})(?:you(?:['\u2019](?:re|ll|ve)| (?:are|can|cannot|have|will|may))|your (?:task|job|goal|objective|terminal|environment|session|tools))(?!\p{L})/iu;

/** Whoever speaks of the user as somebody else is none. */
const toldOfUser =
  /(?<!\p{L})the user['\u2019]s (?:task|request|question|query|goal|objective|instructions?|message)(?!\p{L})/iu;

/** `IMPORTANT TIPS:`, `Use the following format:`, `## Tools` */
const heading =
  /^[ \t]{0,8}(?:#{1,6} \S.{0,120}|\*\*[^*]{1,120}\*\*:?|[^\s:].{0,160}:|[A-Z][A-Z _-]{3,60}:\s.{0,300})[ \t]{0,8}$/u;

/** In sentences: a person says one or two of them. */
const fewestTold = 3;
/** In headings. */
const fewestHeadings = 2;
/** So much of a line tells whether it is a heading, in UTF-16 units. */
const longestHeading = 320;

/**
 * With spaces for what a turn tells the assistant to be and to do when a program wrote it: it has headings, and tells over and over what
 * the assistant is, has and can, or of the user's task as somebody else's. Sentences of whoever set the task stay: `I'm allergic to sesame`. Such rules are of the program, hold
 * in each of its sessions anyhow, and mean nothing outside it. As long as the text, and takes time linear in it.
 */
export function withoutBrief(text: string): string {
  const spoken = withoutQuotations(text);
  if (!isBrief(spoken)) return text;
  let shown = "";
  for (const { start, end } of sentencesOf(text)) {
    if (!speaksOfOneself(spoken.slice(start, end))) continue;
    shown += blank(text.slice(shown.length, start)) + text.slice(start, end);
  }
  return shown + blank(text.slice(shown.length));
}

function isBrief(spoken: string): boolean {
  const headings = spoken.split("\n").filter((line) => line.length <= longestHeading && heading.test(line)).length;
  if (headings < fewestHeadings) return false;
  const sentences = sentencesOf(spoken).map(({ text }) => text);
  const told = sentences.filter((sentence) => toldOfAssistant.test(sentence)).length;
  if (sentences.some((sentence) => toldOfUser.test(sentence))) return true;
  return told >= fewestTold && told > sentences.filter(speaksOfOneself).length;
}
