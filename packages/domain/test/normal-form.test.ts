import { describe, expect, test } from "vitest";
import { normalForm } from "../src/normal-form.ts";

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
const marks = Array.from({ length: 0x2_0000 }, (_, point) => String.fromCodePoint(point)).filter((character) =>
  /[\p{M}\uff9e\uff9f]/u.test(character),
);

describe("the normal form of a text", () => {
  test("is what normalize says, for every mark in runs of any length and order", () => {
    let state = 1;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return state % limit;
    };
    for (let start = 0; start < marks.length; start += 7) {
      const pool = [...marks.slice(start, start + 7), "\u0338", "\u0345", "\u0301"];
      const run = Array.from({ length: 20 + below(90) }, () => (below(50) === 0 ? "s" : pool[below(pool.length)]));
      const text = `<s${run.join("")}é`;
      for (const form of forms) expect(normalForm(text, form)).toBe(text.normalize(form));
    }
  });

  test("takes time in proportion to the text, whatever its marks", () => {
    for (const run of ["\u0301\u0316", "\u0345\u0301\u0338", "\uff9e\u0316", marks.join("")]) {
      const text = `a${run.repeat(200_000 / run.length)}`;
      const started = process.cpuUsage();
      normalForm(text, "NFKC");
      // In microseconds, of the processor: on a busy machine it takes longer, and not more.
      expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
    }
  });
});
