import { describe, expect, test } from "vitest";
import {
  answerFloorOf,
  asksForLatest,
  isPersonalQuestion,
  namingTerms,
  queryTerms,
  rankCandidates,
  subQueries,
} from "../../src/index.ts";
import { openToAll, rankingOf, type Sketch } from "./candidates.ts";

const vector = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle));
const embedder = { ...openToAll, relatedGate: 0.5 };

function texts(prompt: string, sketches: readonly Sketch[], isForLatest = false): readonly string[] {
  return rankCandidates(rankingOf(prompt, sketches, { embedder, isForLatest })).hits.map(({ memory }) => memory.text);
}

function turnAt(position: number): Pick<Sketch, "provenance"> {
  return { provenance: { kind: "conversation", sourceId: "conversation:a", position } };
}

describe("a fact that was replaced", () => {
  const older: Sketch = { id: 1, text: "I live in Utrecht.", cosine: 0.8, daysOld: 90, vectors: [vector(0)] };
  const newer: Sketch = { id: 2, text: "I've moved to Groningen.", cosine: 0.55, daysOld: 9, vectors: [vector(0.9)] };

  test("gives way to the newer one that speaks of the same and answers too", () => {
    expect(texts("where is home", [older, newer])).toEqual([newer.text, older.text]);
  });

  test("stays first when the newer one is about something else, or hardly answers", () => {
    expect(texts("where is home", [older, { ...newer, vectors: [vector(1.3)] }])[0]).toBe(older.text);
    expect(texts("where is home", [older, { ...newer, cosine: 0.3 }])[0]).toBe(older.text);
  });

  test("stays first when the question names it", () => {
    const closer = { ...newer, cosine: 0.7 };
    const ask = (prompt: string, sketches: readonly Sketch[] = [older, closer]): readonly string[] => {
      const input = rankingOf(prompt, sketches, { embedder });
      const { terms } = queryTerms(subQueries(prompt));
      return rankCandidates({ ...input, namingTerms: namingTerms(prompt, terms) }).hits.map(
        ({ memory }) => memory.text,
      );
    };
    expect(ask("Do I live in Utrecht?")[0]).toBe(older.text);
    expect(ask("Where do I live?")[0]).toBe(newer.text);
    const crate = (id: number): Sketch => {
      return { id, text: `The key is under crate${id}x.`, cosine: 0.8, daysOld: 9 - id, vectors: [vector(0)] };
    };
    expect(ask("where is crate3x", [crate(3), crate(4), crate(5)])[0]).toBe(crate(3).text);
    expect(texts("where is the key", [crate(3), crate(4), crate(5)])[0]).toBe(crate(5).text);
  });

  describe("told of as a change", () => {
    const pump: Sketch = { id: 1, text: "Our pump is a Kessel.", cosine: 0.8, daysOld: 90, vectors: [vector(0)] };
    const told = (text: string, angle = 1.3): Sketch => {
      return { id: 2, text, cosine: 0.25, daysOld: 9, vectors: [vector(angle)] };
    };

    test("gives way to the newer one that names the same thing, however far from the question that is", () => {
      const sold = told("We sold the Kessel and bought a Brunner.");
      expect(texts("which pump do we have", [pump, sold])).toEqual([sold.text, pump.text]);
      const older = { ...sold, daysOld: 200 };
      expect(texts("which pump do we have", [pump, older])[0]).toBe(pump.text);
    });

    test("gives way where it held for a while only", () => {
      const tending = { ...pump, text: "Ina tends the bar this week." };
      const away = told("Ina is on the island.");
      expect(texts("where is she", [tending, away])[0]).toBe(away.text);
      expect(texts("where is she", [{ ...tending, text: "Ina tends the bar." }, away])[0]).toBe("Ina tends the bar.");
    });

    test("stays first where the newer one tells of no change, of another thing, or of nothing related", () => {
      for (const other of [
        told("The Kessel is serviced in spring."),
        told("We sold the boat and bought a canoe."),
        told("We sold the Kessel and bought a Brunner.", 1.5),
      ])
        expect(texts("which pump do we have", [pump, other])[0]).toBe(pump.text);
    });

    test("stays first where what both share is what most of the facts are about", () => {
      const phone: Sketch = { ...pump, text: "Lindqvist's wife Britta: 0151 555 0199." };
      const notes = ["walked the corridor", "slept badly", "asked for tea", "moved to bed 14"].map(
        (text, index): Sketch => ({
          ...told(`Lindqvist ${text}.`, 1.2 + index / 100),
          id: index + 2,
          daysOld: 9 - index,
        }),
      );
      const question = "phone number of the wife";
      expect(texts(question, [phone, ...notes])[0]).toBe(phone.text);
      expect(texts(question, [phone, ...notes.slice(1)])[0]).not.toBe(phone.text);
    });

    test("stays first where both share no more than a number, a date or a time of day", () => {
      const part = { ...pump, text: "2026-05-04 09:30 the side brush is an SB-220 with 2 screws." };
      const bag = told("2026-05-09 09:30 dust bag changed after 2 hours.");
      expect(texts("part number of the side brush", [part, bag])[0]).toBe(part.text);
    });
  });

  test("gives way by a word that both share when the newer one answers and is nearly related", () => {
    const near = { ...newer, cosine: 0.6, vectors: [vector(1.1)] };
    expect(texts("where is home", [older, near])[0]).toBe(older.text);
    const living = { ...near, text: "My family and I live in Groningen." };
    expect(texts("where is home", [older, living])[0]).toBe(living.text);
  });

  test("gives way to what replaced it and to nothing else: who stood in between stays behind what answers better", () => {
    const other: Sketch = { id: 3, text: "The bakery is closed.", cosine: 0.7, daysOld: 1, vectors: [vector(-1.3)] };
    expect(texts("where is home", [older, other, newer])).toEqual([newer.text, older.text, other.text]);
  });

  test("gives way to the newest of several, each before what it replaced", () => {
    const newest: Sketch = { id: 3, text: "I live in Assen.", cosine: 0.5, daysOld: 2, vectors: [vector(0.4)] };
    expect(texts("where is home", [older, newer, newest])).toEqual([newest.text, newer.text, older.text]);
  });

  test("is not looked for among turns of a conversation, nor in long texts", () => {
    expect(
      texts("where is home", [
        { ...older, ...turnAt(1) },
        { ...newer, ...turnAt(50) },
      ])[0],
    ).toBe(older.text);
    const long = `${newer.text} ${"And much more. ".repeat(30)}`;
    expect(texts("where is home", [older, { ...newer, text: long }])[0]).toBe(older.text);
  });

  test("brings the newer value of its slot, however that is put", () => {
    const first = { ...older, slot: "home" };
    const second = { ...newer, slot: "home", cosine: 0, vectors: [vector(1.5)] };
    expect(texts("utrecht", [first, second])).toEqual([newer.text, older.text]);
    expect(texts("utrecht", [first, { ...second, slot: "office" }])).toEqual([older.text]);
  });
});

describe("a question for the latest", () => {
  const said: readonly Sketch[] = [
    { id: 1, text: "The logo is a heron.", cosine: 0.9, daysOld: 80 },
    { id: 2, text: "The heron gets a circle.", cosine: 0.6, daysOld: 40 },
    { id: 3, text: "No circle.", cosine: 0.4, daysOld: 20 },
    { id: 4, text: "Lunch is at noon.", cosine: 0.1, daysOld: 1 },
  ].map((sketch) => ({ ...sketch, vectors: [vector(sketch.cosine)] }));

  test("puts the newest of what answers it first", () => {
    expect(texts("logo", said, true).slice(0, 3)).toEqual([said[2]?.text, said[1]?.text, said[0]?.text]);
    expect(texts("logo", said)[0]).toBe(said[0]?.text);
  });

  test("puts no value of a slot before a newer one that is not among the closest", () => {
    const turn = { id: 1, text: "They talked about dinner for long.", cosine: 0.9, daysOld: 90, ...turnAt(0) };
    const value = (id: number, text: string, cosine: number, daysOld: number): Sketch => {
      return { id, text, cosine, daysOld, slot: "dinner" };
    };
    const sketches = [turn, value(2, "Dinner is at seven.", 0.5, 9), value(3, "We eat at six.", 0, 1)];
    expect(texts("dinner", sketches, true)).toEqual(["We eat at six.", turn.text, "Dinner is at seven."]);
  });

  test("means none that is merely new and somewhat near: it has no word of the question and is about something else", () => {
    const mill: Sketch = { id: 1, text: "The mill grinds 3 tons.", cosine: 0.9, daysOld: 60, vectors: [vector(0)] };
    const later: Sketch = { id: 2, text: "The mill is at 4 tons.", cosine: 0.5, daysOld: 9, vectors: [vector(1.4)] };
    const oven = (cosine: number, angle: number): Sketch => {
      return { id: 3, text: "The oven was lit.", cosine, daysOld: 1, vectors: [vector(angle)] };
    };
    expect(texts("mill output", [mill, later, oven(0.4, 1.5)], true)[0]).toBe(later.text);
    // Nearly as close, or nearly related to the closest.
    expect(texts("mill output", [mill, later, oven(0.8, 1.5)], true)[0]).toBe("The oven was lit.");
    expect(texts("mill output", [mill, later, oven(0.4, 1.1)], true)[0]).toBe("The oven was lit.");
  });

  test("means any short fact about the same, but of turns and long texts only those among the four closest", () => {
    const wells = (provenance: (id: number) => Sketch["provenance"], end = ""): readonly Sketch[] =>
      Array.from({ length: 6 }, (_, id): Sketch => {
        const said = `The well was ${id} metres deep.${end}`;
        const from = provenance(id);
        return { id: id + 1, text: said, cosine: 0.9 - id / 20, daysOld: 60 - id, ...(from && { provenance: from }) };
      });
    const first = (sketches: readonly Sketch[]): string | undefined => texts("depth of the well", sketches, true)[0];
    const facts = wells(() => undefined);
    expect(first(facts)).toBe(facts[5]?.text);
    const turns = wells((position) => ({ kind: "conversation", sourceId: "conversation:a", position: 3 * position }));
    expect(first(turns)).toBe(turns[3]?.text);
    const long = wells(() => undefined, " It was dug by hand.".repeat(20));
    expect(first(long)).toBe(long[3]?.text);
  });

  test.each([
    "What did we decide last?",
    "How many bees are there at present?",
    "the current deploy day",
    "Where do I live now?",
    "Is she still expecting?",
    "Which flat did we end up with?",
    "who is on call these days",
  ])("%s", (question) => expect(asksForLatest(question)).toBe(true));

  test.each([
    "What did we do last week?",
    "How long did the meeting last?",
    "What is my last name?",
    "Who knows about currents?",
    "now ".repeat(100),
  ])("not %s", (question) => expect(asksForLatest(question)).toBe(false));
});

describe("a question about who asks", () => {
  test.each(["Do I have any allergies?", "who is my boss", "Where did we stay?", "How does she learn best?"])(
    "%s",
    (question) => expect(isPersonalQuestion(question)).toBe(true),
  );

  test.each(["Why is the sky blue?", "How do I fold a sheet?", "Tell me a joke.", "What is an ion?"])(
    "not %s",
    (question) => expect(isPersonalQuestion(question)).toBe(false),
  );

  test("takes 0.85 of the closeness that answers, and never less than the floor", () => {
    expect(answerFloorOf({ relevance: 0.1, answer: 0.4 }, false)).toBe(0.4);
    expect(answerFloorOf({ relevance: 0.1, answer: 0.4 }, true)).toBeCloseTo(0.34, 12);
    expect(answerFloorOf({ relevance: 0.35, answer: 0.4 }, true)).toBe(0.35);
    expect(answerFloorOf({ relevance: 0.2 }, false)).toBe(0.2);
  });
});

describe("closeness", () => {
  const among = (count: number, cosines: readonly number[], relevanceFloor: number, answerFloor: number): number => {
    const sketches = Array.from({ length: count }, (_, index): Sketch => {
      return { id: index + 1, text: `fact ${index}`, cosine: cosines[index] ?? 0 };
    });
    const embedder = { ...openToAll, relevanceFloor, answerFloor };
    return rankCandidates(rankingOf("kraken", sketches, { embedder })).hits.length;
  };

  test("when not even the closest comes close enough, nothing answers", () => {
    expect(among(100, [0.34, 0.3], 0.2, 0.28)).toBe(0);
    expect(among(100, [0.36, 0.3], 0.2, 0.28)).toBe(2);
  });

  test("the fewer there are, the less is enough", () => {
    expect(among(1, [0.22], 0.17, 0.3)).toBe(1);
    expect(among(1, [0.21], 0.17, 0.3)).toBe(0);
    expect(among(10, [0.3, 0.25], 0.17, 0.3)).toBe(2);
    expect(among(10, [0.29, 0.25], 0.17, 0.3)).toBe(0);
    expect(among(200, [0.37], 0.17, 0.3)).toBe(0);
    expect(among(200, [0.38], 0.17, 0.3)).toBe(1);
  });

  test("one word of many that a memory shares with the question is no answer", () => {
    const notes = { id: 1, text: "The printer works over the cable", cosine: 0.1 };
    const input = rankingOf("How do vaccines against influenza work in children?", [notes]);
    expect(rankCandidates(input).hits).toEqual([]);
  });
});
