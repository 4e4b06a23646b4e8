import { askedOfYou, orderLead } from "./order-leads.ts";

/** `what you know about`, `everything that I've told you about` */
const known = String.raw`(?:(?:what|everything|anything|all)(?: that)? (?:i|we|you)(?:['\u2019]ve| have)? (?:said|told you|tell you|mentioned|know|remember|noted|stored|saved) (?:about|of|on)|everything about|all about) `;
const oneself = String.raw`that (?=(?:i|i['\u2019]?(?:m|ve)|we|my|our)(?!\p{L}))`;
/** What is no message, as in `forget my last question`. */
const possession = String.raw`(?=(?:my|our) (?!(?:last|previous|earlier|first|old|other) ))`;
const memory = String.raw`(?:your (?:memory|memories|notes?|records?)|(?:my|your) profile)`;
/** What takes the last words back, and names nothing: `Forget that I said anything`. */
const namesNothing = /^(?:i|we) (?:ever )?(?:said|told|mentioned|asked|wrote|brought)(?!\p{L})/iu;

const forgetting = new RegExp(
  String.raw`(?:${askedOfYou}|${orderLead}(?:you (?:can|may|should) )?)(?:forget (?:that |about |${known}|${possession})|(?:delete|erase|remove) (?:${known}|${oneself}|(?=.{1,120}? from ${memory})))`,
  "iu",
);
const fromMemory = new RegExp(String.raw` from ${memory}(?!\p{L}).*$`, "iu");

const everything = new RegExp(
  String.raw`(?:${askedOfYou}|${orderLead}(?:you (?:can|may|should) )?)(?:forget|delete|erase|remove) (?:what|everything|anything|all)(?!\p{L})`,
  "iu",
);

/** Whether a sentence asks for all that is known of something to be forgotten: `Forget everything about billing`. Linear in the text. */
export function forgetsEverything(text: string): boolean {
  return everything.test(text) && toldToBeForgotten(text) !== undefined;
}

/**
 * What a sentence asks to be forgotten, without the words that ask for it: `Please forget that I'm allergic to nuts`, `Forget what I said about
 * the move`, `Remove my cats from your memory`. `undefined` for `Forget that!`, which takes back what was just said, and for orders to do something
 * with other things. Takes time linear in the text.
 */
export function toldToBeForgotten(text: string): string | undefined {
  const found = forgetting.exec(text);
  if (found === null) return undefined;
  const rest = text.slice(found[0].length).replace(fromMemory, "").trim();
  return /\p{L}{2}/u.test(rest) && !namesNothing.test(rest) && !/^(?:it|this|that)(?!\p{L})/iu.test(rest)
    ? rest
    : undefined;
}

/** `…, said the wizard`, `…, he said`. `…, as I said` and `…, like my doctor said` are words of whoever orders it. */
const attribution =
  /,["'\u201d\u2019]{0,2}\s(?:(?:said|says|added|replied|wrote|told) (?!(?:i|we)(?!\p{L}))[^,.!?]{2,40}|(?!(?:i|we|you|as|like)(?!\p{L}))[^,.!?]{2,40} (?:said|says|added|replied|wrote|told (?:me|us|him|her|them)))[.!\s]{0,3}$/iu;

/** So much of a sentence's end tells who says it, in UTF-16 units. */
const longestEnd = 80;

/** Whether what is to be forgotten is told as another one's words: `Forget everything about Oslo, said the wizard`. Linear in the text. */
export function isToldByOthers(text: string): boolean {
  return attribution.test(text.slice(-longestEnd));
}
