import fc from "fast-check";

/** Any text, and texts of the words. */
export function anyQuestion(...words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...words)).map((all) => all.join(" ")),
  );
}
