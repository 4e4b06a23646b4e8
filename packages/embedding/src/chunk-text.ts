/** A word of Latin script is taken for a token every so many characters; real tokenizers manage four or more. */
const lettersPerToken = 3;

/** Letters, digits and spaces of Latin script. Any other character is taken for a whole token. */
const cheap = /[A-Za-z0-9 \u00C0-\u024F]/;
const sentenceEnd = /[.!?。！？…\n]/;
const afterSentenceEnd = /["'”’)\]]/;
const space = /\s/;

/** What a UTF-16 unit is, as bits. */
const isCheap = 1;
const endsSentence = 2;
const followsSentenceEnd = 4;
const isWhiteSpace = 8;
const isLookedUp = 16;
/** By unit, once it was met: four patterns for every character of a long text took milliseconds. */
const kinds = new Uint8Array(0x1_0000);

/**
 * Splits a text into chunks that an embedder reads to their ends: at the end of a sentence, else at a space, else
 * between any two characters. Joined, the chunks are the text again.
 *
 * @param maxInputTokens of the embedder. Tokens are estimated, rather too many than too few: three Latin letters, or one
 *   character of anything else, make one.
 * @returns at least one chunk
 */
export function chunkText(text: string, maxInputTokens: number): readonly string[] {
  if (text.length <= maxInputTokens) return [text];
  const budget = maxInputTokens * lettersPerToken;
  const chunks: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = chunkEnd(text, start, budget);
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}

function chunkEnd(text: string, start: number, budget: number): number {
  let cost = 0;
  let lastSentence = 0;
  let lastWord = 0;
  let isSentenceOver = false;
  for (let index = start; index < text.length; index++) {
    const kind = kindAt(text, index);
    const isSpace = (kind & isWhiteSpace) !== 0;
    // The sentence ends where the next word begins, with the quotation marks and spaces after the full stop.
    if (isSentenceOver && (kind & (isWhiteSpace | followsSentenceEnd)) === 0) {
      if ((kindAt(text, index - 1) & isWhiteSpace) !== 0 || text.charCodeAt(index - 1) > 0x7f) lastSentence = index;
      isSentenceOver = false;
    }
    if ((kind & endsSentence) !== 0) isSentenceOver = true;
    cost += (kind & isCheap) === 0 ? lettersPerToken : 1;
    if (cost > budget && index > start) return lastSentence || lastWord || beforeSurrogatePair(text, start, index);
    if (isSpace) lastWord = index + 1;
  }
  return text.length;
}

function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const known = kinds[unit] as number;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  const kind =
    isLookedUp |
    (cheap.test(character) ? isCheap : 0) |
    (sentenceEnd.test(character) ? endsSentence : 0) |
    (afterSentenceEnd.test(character) ? followsSentenceEnd : 0) |
    (space.test(character) ? isWhiteSpace : 0);
  kinds[unit] = kind;
  return kind;
}

function beforeSurrogatePair(text: string, start: number, index: number): number {
  const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
  const isAfterHigh = (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  if (!isLow || !isAfterHigh) return index;
  return index - 1 > start ? index - 1 : index + 1;
}
