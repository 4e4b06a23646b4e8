import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { englishAnalyser, loadTextAnalyser, type TextLanguage, textLanguages } from "../../src/index.ts";
import { processorTime } from "../processor-time.ts";

/** A text that answers a question in other forms of its words, as inflected languages have them. */
const inflected: Readonly<
  Record<Exclude<TextLanguage, "english" | "none">, readonly [text: string, question: string]>
> = {
  danish: ["bilerne", "bilen"],
  dutch: ["vergaderingen", "vergadering"],
  finnish: ["taloissa", "talossa"],
  french: ["décisions", "décision"],
  german: ["Verträge", "Vertrags"],
  hungarian: ["házakban", "házban"],
  italian: ["decisioni", "decisione"],
  norwegian: ["bilene", "bilen"],
  portuguese: ["cantaram", "cantando"],
  romanian: ["deciziile", "deciziilor"],
  russian: ["решениями", "решениях"],
  spanish: ["canciones", "canción"],
  swedish: ["bilarna", "bilar"],
  turkish: ["evlerde", "evler"],
};

describe.each(Object.entries(inflected))("%s", (language, [text, question]) => {
  test("words are found in their other forms", async () => {
    const analyser = await loadTextAnalyser(language as TextLanguage);
    expect(analyser.language).toBe(language);
    expect(analyser.terms(question)).toEqual([...analyser.analyse(text).keys()]);
    expect(analyser.terms(question)).toHaveLength(1);
  });

  test("identifiers, digits and other scripts are found as in every language", async () => {
    const analyser = await loadTextAnalyser(language as TextLanguage);
    const text = "ADR-007 user_id src/core/index.ts v1.2.3 camelCase 数据库 2026";
    expect(analyser.terms(text)).toEqual(
      expect.arrayContaining([
        "adr-007",
        "007",
        "user_id",
        "src/core/index.ts",
        "index.ts",
        "v1.2.3",
        "数据",
        "据库",
        "2026",
      ]),
    );
    for (const part of ["adr", "user", "index", "case"])
      for (const term of analyser.terms(part)) expect(analyser.terms(text)).toContain(term);
  });
});

test.each<[TextLanguage, string, readonly string[]]>([
  ["german", "Ist der Termin mit der Ärztin?", ["termin", "arztin"]],
  ["french", "Est-ce que l'équipe a décidé ?", ["est-ce", "equip", "a", "decid"]],
  ["spanish", "¿Dónde está la casa de ella?", ["cas"]],
  ["none", "What did the engineers deploy?", ["what", "did", "the", "engineers", "deploy"]],
])("stop words of %s are left out", async (language, question, terms) => {
  expect((await loadTextAnalyser(language)).terms(question)).toEqual(terms);
});

test("English is the default, and what it always was", async () => {
  expect(await loadTextAnalyser()).toBe(englishAnalyser);
  expect(textLanguages).toContain("english");
});

test.each(["klingon", "toString", "__proto__", ""])("%s is not a language", async (language) => {
  await expect(loadTextAnalyser(language as TextLanguage)).rejects.toMatchObject({
    reason: "INVALID_CONFIGURATION",
    field: "language",
  });
});

test.each(textLanguages)("%s takes any text, and the question finds its own text", async (language) => {
  const analyser = await loadTextAnalyser(language);
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from("abcdeéäößñçıİşğőйжщыьΣσςن数ab'’-_/ .ïœ")),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(letters, fc.string({ unit: "grapheme", maxLength: 60 })), (text) => {
      const terms = analyser.analyse(text);
      for (const term of terms.keys()) {
        expect(term.isWellFormed()).toBe(true);
        expect(term.length).toBeGreaterThan(0);
        expect(term.length).toBeLessThanOrEqual(128);
      }
      expect(analyser.terms(text)).toEqual([...terms.keys()]);
    }),
    { seed: 20_261_122, numRuns: 100 },
  );
  const text = `${"a".repeat(50_000)} ${"äß ".repeat(20_000)}`;
  expect(processorTime(() => analyser.analyse(text))).toBeLessThan(2_000);
});

test("words are found whatever their case, as full case folding has it", async () => {
  for (const language of ["english", "german", "none"] as const) {
    const { analyse, terms } = await loadTextAnalyser(language);
    for (const [written, asked] of [
      ["GRÖSSE", "größe"],
      ["Straße", "STRASSE"],
      ["STRAẞE", "strasse"],
      ["ΟΔΟΣ", "οδοσ"],
      ["Maßstab-Größe.ts", "MASSSTAB-GRÖSSE.TS"],
    ] as const)
      expect([written, ...analyse(written).keys()]).toEqual([written, ...terms(asked)]);
  }
});
