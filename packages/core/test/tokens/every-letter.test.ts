import { get_encoding as loadTiktoken } from "tiktoken";
import { expect, test } from "vitest";
import { loadTokenCounter } from "../../src/index.ts";

const isLetterMarkOrNumber = /[\p{L}\p{M}\p{N}]/u;
const perText = 64;

/** Every character that this runtime knows as a letter, a mark or a number, where being one decides what a piece is. */
function* textsOfEveryLetter(): Generator<string> {
  let text = "";
  let characters = 0;
  for (let point = 0x80; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (!isLetterMarkOrNumber.test(character)) continue;
    text += `${character}’s a${character}b 1${character}2 A${character}A${character}a\n`;
    if (++characters % perText > 0) continue;
    yield text;
    text = "";
  }
  yield text;
}

// Fails with the first characters that either tiktoken or this runtime has learnt: see added-by-unicode-17.ts.
test.each(["o200k_base", "cl100k_base"] as const)(
  "%s counts every letter, mark and number as tiktoken does, whatever Unicode the runtime knows",
  async (id) => {
    const counter = await loadTokenCounter(id);
    const tiktoken = loadTiktoken(id);
    let texts = 0;
    for (const text of textsOfEveryLetter()) {
      texts++;
      if (counter.count(text) === tiktoken.encode(text, [], []).length) continue;
      expect.fail(
        `counts differ among ${String.fromCodePoint(text.codePointAt(0) ?? 0)} and the ${perText - 1} that come next`,
      );
    }
    tiktoken.free();
    expect(texts).toBeGreaterThan(2_000);
  },
);
