import { hash } from "node:crypto";
import type { ContentHash } from "@loci/domain";
import { textKeyOf } from "@loci/ledger/sql";
import fc from "fast-check";
import { expect, test } from "vitest";

test("who knows the hash of a text gets the same key", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(" padded\n", "caf\u0065\u0301", "caf\u00e9", "\u212b", "\ud800"),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(textKeyOf(text, hash("sha256", text, "hex") as ContentHash)).toBe(textKeyOf(text));
    }),
  );
});
