import { stopWords } from "../../text/stop-words.ts";
import { findPhrase, PhraseIndex, phraseOf } from "../extract/phrases.ts";
import { isNumberWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";

/**
 * Turns of phrase that say that something is over, where none of their words does alone. As `phrases.ts` reads them: what one is done with
 * or off, what is given, put or taken away, who is let go, what breaks for good.
 */
const written: readonly string[] = [
  "^ ?and|so|but ?i|we ?am|are ?now|finally done|finished|through with #word",
  "i|we am|are ?now|so|finally done|finished|through with #word",
  "bye bye ?to #word",
  "goodbye|farewell to #word",
  "rip #word",
  "is|are ?now ?all ?officially ?completely off $",
  "is|are ?now ?officially off my|our|because|since|due|so|he|she|it|they|we|i",
  "is|are ?now ?officially out $",
  "^ ?and|so|but ?i ?am ?now|finally off the|my",
  "i am|have been|came off the #word",
  "for the ?very last time",
  "last|final session|game|match|class|lesson|concert|gig|performance was|is",
  "my|our very|final|last ?ever session|game|match|class|lesson|concert|gig|performance|broadcast",
  "put ?#word ?#word ?#word to sleep",
  "put|putting the|our|my ?old ?#word dog|cat|horse|pony|rabbit|hamster down",
  "let|lets me|us|him|her|them go",
  "laid|lay me|us|him|her|them|half|most off",
  "made|am|was|were ?me|us ?all redundant",
  "called|call ?it|the|our|everything ?#word off|quits",
  "hung up my|his|her|our",
  "packed up my|our|the|his|her",
  "packed it|that|everything in|up",
  "went|gone|going to ?the scrap|auction|charity|market|slaughter|tip|dump",
  "flew|ran|swam|wandered off|away|out",
  "never came back",
  "came|come to an end",
  "fell|fallen apart|through",
  "gone|went under",
  "conked|fizzled|petered out",
  "fried|killed itself",
  "discharged|dismissed|expelled me|us|him|her|them",
  "signed|signs me|him|her off",
  "last|final instalment|installment|payment",
  "off the table|menu|cards|market|books",
  "said no|goodbye to|on|$",
  "can go completely|now|$",
  "ploughed|plowed|dug the|it|them ?#word in|up|under",
  "is|are behind me|us",
  "is|are a thing of the past",
  "wound|winding|closing|closed|shut|shutting down|up",
  "took|taken|take it|them|the ?#word off|down",
  "got|had it|them|the|my|our ?#word stolen|nicked|removed|taken|towed",
  "had enough of",
  "have|has not #word since",
  "split|broke|broken ?it up",
  "stepped|stood|standing down",
  "have|has ?finally ?just retired from",
  "it|that is ?all over between",
];

const phrases = written.map(phraseOf);
const ofEndings = new PhraseIndex(phrases);

/** Where words begin a turn of phrase that says that something is over. Linear in their number. */
export function turnsOfEndingIn(words: readonly Word[]): readonly number[] {
  const possible = ofEndings.possibleIn(words);
  const found = phrases.flatMap((phrase) => (possible.has(phrase) ? (findPhrase(phrase, words)?.[0] ?? []) : []));
  return [...found, ...words.flatMap((_, index) => (isNoMoreOf(words, index) ? index : []))];
}

/** `No more Thursday deploys`; but `train no more, the bus takes me`, `no more than two`. */
function isNoMoreOf(words: readonly Word[], index: number): boolean {
  const [no, more, behind] = words.slice(index, index + 3);
  if (no?.text !== "no" || more?.text !== "more" || behind === undefined) return false;
  return !stopWords.has(behind.text) && !isNumberWord(behind.text);
}
