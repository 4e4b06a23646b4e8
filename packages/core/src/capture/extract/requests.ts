/** `Please, can you `: what stands before the order of a request. */
const requestStart = /^((?:\p{L}+,? ){0,3}?)(?:can|could|would|will) (?:you|u) (?:please |pls )?/iu;
/** So much of a text tells how it begins. In UTF-16 units. */
const longestStart = 80;

/** Whether a text begins as a request does. */
export function beginsAsRequest(text: string): boolean {
  return requestStart.test(text.slice(0, longestStart));
}

/** `Can you file it?`: what asks to be done. */
export function isRequest(text: string): boolean {
  return beginsAsRequest(text) && !beginsWithCondition(text);
}

const condition = /^(?:\p{L}+,? ){0,2}(?:if|when|in case|unless) /iu;

/** `And if it rains, …` */
export function beginsWithCondition(text: string): boolean {
  return condition.test(text.slice(0, longestStart));
}

/** A request as the order that it is. */
export function asOrder(text: string): string {
  return text
    .replace(requestStart, "$1")
    .replace(/^(?=not )/iu, "do ")
    .replace(/\s?\?(?=["')\]]{0,3}$)/, "");
}

/** Whether a mark of a question ends a text. */
export function endsAsQuestion(text: string): boolean {
  return /\?["')\]]{0,3}$/.test(text.slice(-6));
}
