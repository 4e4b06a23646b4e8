import { expect, test } from "vitest";
import { foldText } from "../../src/index.ts";

test("its short way out gives what folding would, for every character", () => {
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x2ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const folded = character
      .replace(/\p{Default_Ignorable_Code_Point}/u, "")
      .normalize("NFKC")
      .replace("\u2010", "-")
      .replace("\u2019", "'");
    if (foldText(character) !== folded) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("folds what looks alike and composes accents", () => {
  expect(foldText("ＡＢＣ ﬁn e\u0301 ﾊﾟ x\u200by user’s")).toBe("ABC fin é パ xy user's");
});

test("keeps 30 combining marks of a run, and lone surrogates", () => {
  expect(foldText("q" + "\u0323".repeat(1_000) + "z")).toBe("q" + "\u0323".repeat(30) + "z");
  expect(foldText("é\ud800x")).toBe("é\ud800x");
});
