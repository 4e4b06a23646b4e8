import { memoryId, parseScopes, type Provenance } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { queryTags, rankCandidates, rerankable, scoringProfile } from "../../src/index.ts";
import { openToAll, idOf, rankingOf, scoreAgain, type Sketch } from "./candidates.ts";

function hits(input: ReturnType<typeof rankingOf>): readonly string[] {
  return rankCandidates(input).hits.map(({ memory }) => memory.text);
}

function dropped(input: ReturnType<typeof rankingOf>): readonly (readonly [string, string])[] {
  const texts = new Map(input.candidates.map(({ memory }) => [memory.id, memory.text]));
  return rankCandidates(input).dropped.map(({ id, reason }) => [texts.get(id) ?? "", reason]);
}

test("story: of two data sets with similar names the current one comes first", () => {
  const input = rankingOf("Where is the dataset for the research brief?", [
    { id: 1, text: "The dataset for the research brief is s3://archive/research-brief-v1", daysOld: 61, cosine: 0.82 },
    { id: 2, text: "The dataset for the research brief is s3://data/research-brief-v2", daysOld: 3, cosine: 0.81 },
    { id: 3, text: "Lunch is at noon", daysOld: 0, cosine: 0.1 },
  ]);
  expect(hits(input)).toEqual([
    "The dataset for the research brief is s3://data/research-brief-v2",
    "The dataset for the research brief is s3://archive/research-brief-v1",
  ]);
});

describe("relevance floor", () => {
  const many = Array.from({ length: 5 }, (_, index): Sketch => ({
    id: 10 + index,
    text: `deploy notes ${index} for teams`,
  }));

  test("keeps out what does not answer, and says so", () => {
    const input = rankingOf("deploy", [...many, { id: 1, text: "lunch", cosine: 0.2 }]);
    expect(dropped(input)).toEqual([["lunch", "BELOW_RELEVANCE_FLOOR"]]);
    expect(hits(rankingOf("deploy", [{ id: 1, text: "lunch", cosine: 0.5 }]))).toEqual(["lunch"]);
  });

  test("a rare term passes, a common one does not", () => {
    const long = `kraken ${Array.from({ length: 400 }, (_, index) => `filler${index}`).join(" ")}`;
    const short = { id: 1, text: "deploy kraken kraken kraken", cosine: 1 };
    const input = rankingOf("kraken", [short, { id: 2, text: long, cosine: 0 }], {
      embedder: { relevanceWeight: 0.9, relevanceFloor: 0.5, answerFloor: 0.5, duplicateGate: 2 },
      limits: { maxTokens: 100_000 },
    });
    expect(rankCandidates(input).hits.map(({ memory }) => memory.id)).toEqual([idOf(1), idOf(2)]);
    // The same candidates among many memories with that word.
    const textStatistics = { documents: 10_000, totalLength: 100_000, documentFrequencies: [11] };
    expect(dropped({ ...input, textStatistics })).toEqual([[long, "BELOW_RELEVANCE_FLOOR"]]);
    expect(hits({ ...input, textStatistics: { ...textStatistics, documentFrequencies: [10] } })).toHaveLength(2);
  });

  test("what is found by its tag passes and is marked", () => {
    const tags = ["release"];
    const input = rankingOf("release it", [{ id: 1, text: "Run npm", category: "procedure", tags, foundByTag: true }], {
      queryTags: queryTags({ prompt: "release it" }, tags),
    });
    expect(rankCandidates(input).hits).toMatchObject([{ foundBy: "tag", parts: { relevance: 0, tagBoost: 1.1 } }]);
  });
});

describe("relevance", () => {
  test("is the best over the sub-queries, weighted, with the share of that sub-query's best text", () => {
    const input = rankingOf(
      "Tell me about the kraken. And what about the narwhal project?",
      [
        { id: 1, text: "narwhal narwhal project" },
        { id: 2, text: "kraken" },
      ],
      { embedder: openToAll },
    );
    const [first] = rankCandidates(input).hits;
    expect(first?.memory.text).toBe("narwhal narwhal project");
    expect(first?.parts.relevance).toBe(1);
    const part = { ...input, subQueries: input.subQueries.slice(1) };
    expect(rankCandidates(part).hits.map(({ parts }) => parts.relevance)).toEqual([0.6, 0.6]);
  });

  test("a memory without a vector is judged by its text alone, and no text match is no NaN", () => {
    const input = rankingOf("kraken", [
      { id: 1, text: "kraken" },
      { id: 2, text: "octopus", cosine: 0.8 },
    ]);
    expect(rankCandidates(input).hits.map(({ parts }) => parts)).toMatchObject([
      { relevance: 1, text: 1 },
      { relevance: 0.4, text: 0, cosine: 0.8 },
    ]);
    expect(rankCandidates(input).hits[0]?.parts).not.toHaveProperty("cosine");
    expect(hits(rankingOf("nothing of that kind", [{ id: 1, text: "lunch" }]))).toEqual([]);
  });
});

describe("neighbours", () => {
  const turn = (position: number, sourceId = "conversation:a"): Provenance => ({
    kind: "conversation",
    sourceId,
    position,
  });
  const profile = scoringProfile({ neighbourFactor: 0.5 });

  test("a turn gains from the better of the turns before and after it", () => {
    const input = rankingOf(
      "kraken",
      [
        { id: 1, text: "kraken", provenance: turn(1), cosine: 0.9 },
        { id: 2, text: "a big one", provenance: turn(2), cosine: 0.5 },
        { id: 3, text: "tell me about the kraken", provenance: turn(3), cosine: 0.7 },
        { id: 4, text: "another conversation", provenance: turn(2, "conversation:b"), cosine: 0.5 },
        { id: 5, text: "another scope", provenance: turn(2), cosine: 0.5, scope: "global" },
        { id: 6, text: "a document", provenance: { ...turn(2), kind: "document" }, cosine: 0.5 },
      ],
      { profile },
    );
    const found = new Map(rankCandidates(input).hits.map((hit) => [hit.memory.text, hit]));
    const own = (text: string): number => (found.get(text)?.score ?? 0) - (found.get(text)?.parts.neighbours ?? 0);
    expect(found.get("a big one")?.parts.neighbours).toBeCloseTo(0.5 * own("kraken"), 12);
    expect(found.get("kraken")?.parts.neighbours).toBeCloseTo(0.5 * own("a big one"), 12);
    for (const text of ["another conversation", "another scope", "a document"])
      expect(found.get(text)?.parts.neighbours).toBe(0);
  });
});

describe("passages", () => {
  const turn = (id: number, position: number, text: string, sourceId = "conversation:a"): Sketch => {
    return { id, text, provenance: { kind: "conversation", sourceId, position } };
  };
  const textOf = (sketches: readonly Sketch[], passageShare: number): ReadonlyMap<string, number> => {
    const profile = scoringProfile({ passageShare });
    const input = rankingOf("kraken fee", sketches, { profile, embedder: openToAll });
    const { hits: found, dropped: lost } = rankCandidates(input);
    const parts = new Map<string, number>(found.map((hit) => [hit.memory.id, hit.parts.text]));
    for (const { id, parts: own } of lost) parts.set(id, own?.text ?? Number.NaN);
    return parts;
  };

  test("a turn shares in the words said around it, the less the more is said in between", () => {
    const sketches = [
      turn(10, 0, "kraken fee"),
      ...[1, 2, 3].map((position) => turn(10 + position, position, `${"silence ".repeat(29)}, ${position}`)),
      turn(14, 9, "silence"),
      turn(20, 1, "elsewhere", "conversation:b"),
    ];
    const alone = textOf(sketches, 0);
    const together = textOf(sketches, 1);
    expect([10, 11, 12].map((id) => alone.get(idOf(id)))).toEqual([1, 0, 0]);
    const shares = [10, 11, 12, 13, 14, 20].map((id) => together.get(idOf(id)) ?? Number.NaN);
    expect(shares[0]).toBe(1);
    // idf · f · 2.2 / (f + 1.2) over the same with f = 1, where f halves with every 60 terms: two in the turn itself.
    const within = (1 - 0.5 ** (2 / 60)) / ((Math.LN2 * 2) / 60);
    for (const [place, between] of [0, 30, 60].entries()) {
      const frequency = within * 0.5 ** (between / 60);
      expect(shares[1 + place]).toBeCloseTo((frequency * 2.2) / (frequency + 1.2), 12);
    }
    // Five turns that are not known count as long as the average text.
    expect(shares[4]).toBeGreaterThan(0);
    expect(shares[4]).toBeLessThan(0.4 * (shares[3] ?? 0) + 0.3);
    expect(shares[5]).toBe(0);
  });

  test("with an assistant a third of what the turn's own words make is the passage's too", () => {
    const said = (speaker: string): ReadonlyMap<string, number> => {
      const provenance = { kind: "conversation", sourceId: "conversation:a", speaker } as const;
      const own: Sketch = { id: 1, text: "kraken fee", provenance: { ...provenance, position: 0 } };
      const next: Sketch = { id: 2, text: "silence", provenance: { ...provenance, position: 1 } };
      return textOf([own, next], 0.4);
    };
    const [friend, assisted] = ["Ada", "assistant"].map((speaker) => said(speaker).get(idOf(2)) ?? Number.NaN);
    const passage = (friend as number) / 0.4;
    expect(assisted).toBeCloseTo((1 - 0.6 * (2 / 3)) * passage, 12);
  });

  test("what two turns say together beats a turn that says the half of it twice", () => {
    const input = rankingOf(
      "How much is the kraken fee?",
      [
        turn(1, 0, "Let us talk about the kraken"),
        turn(2, 1, "The fee is nine pearls"),
        turn(3, 99, "A fee is a fee"),
        turn(4, 0, "Lunch is at noon, and dinner without a fee in the evening", "conversation:b"),
      ],
      { profile: scoringProfile({ neighbourFactor: 0 }), embedder: openToAll, limits: { limit: 3 } },
    );
    expect(hits(input)).toEqual(["Let us talk about the kraken", "The fee is nine pearls", "A fee is a fee"]);
    const alone = { ...input, profile: scoringProfile({ neighbourFactor: 0, passageShare: 0 }) };
    expect(hits(alone)).toEqual(["Let us talk about the kraken", "A fee is a fee", "The fee is nine pearls"]);
  });

  test("several memories of one turn count once, and a text that is no turn counts alone", () => {
    const fact = (id: number): Sketch => turn(id, 0, "kraken fee");
    const other = { id: 9, text: "kraken fee" };
    const once = textOf([fact(1), turn(3, 1, "silence"), other], 0.5);
    const twice = textOf([fact(1), fact(2), turn(3, 1, "silence"), other], 0.5);
    expect(twice.get(idOf(3))).toBeCloseTo(once.get(idOf(3)) ?? Number.NaN, 12);
    expect(once.get(idOf(9))).toBe(1);
  });
});

describe("times that the question names", () => {
  const said = (id: number, daysOld: number): Sketch => ({ id, text: `The kraken came, day ${id}`, daysOld });

  test("what was said then comes first, and says how close it is", () => {
    const input = rankingOf("What did the kraken do in March?", [said(1, 1), said(2, 62), said(3, 75), said(4, 100)], {
      embedder: openToAll,
    });
    const ranked = rankCandidates({ ...input, profile: scoringProfile("archive") }).hits;
    const times = new Map(ranked.map(({ memory, parts }) => [memory.id as string, parts.time]));
    // 2: 31 March; 3: 18 March; 4: 21 February.
    expect([1, 2, 3, 4].map((id) => times.get(idOf(id)))).toEqual([0, 1, 1, 0]);
    expect(new Set(ranked.slice(0, 2).map(({ memory }) => memory.id as string))).toEqual(new Set([idOf(2), idOf(3)]));
    expect(rankCandidates(rankingOf("the kraken", [said(1, 1)])).hits[0]?.parts).not.toHaveProperty("time");
  });

  test("its time alone lets nothing past the relevance floor", () => {
    const input = rankingOf("What is the fare in March?", [{ id: 1, text: "The kraken came", daysOld: 75 }]);
    expect(dropped(input)).toEqual([["The kraken came", "BELOW_RELEVANCE_FLOOR"]]);
  });
});

describe("slots", () => {
  const theme = (id: number, text: string, scope: Sketch["scope"] & string, cosine = 0.6): Sketch => {
    return { id, text, scope, slot: "theme", cosine };
  };

  test("the nearer scope's value overrides the farther one's, however the scores stand", () => {
    const input = rankingOf("which theme", [
      theme(1, "dark theme", "user:ada", 0.5),
      theme(2, "light theme", "global", 0.9),
    ]);
    expect(hits(input)).toEqual(["dark theme"]);
    expect(rankCandidates(input).dropped).toMatchObject([
      { id: idOf(2), reason: "OVERRIDDEN_BY_SCOPE", inFavourOf: idOf(1) },
    ]);
  });

  test("the same value, the same scope and another slot override nothing", () => {
    const input = rankingOf("which theme", [
      theme(1, "dark theme", "user:ada"),
      theme(2, "pale theme", "user:ada"),
      { ...theme(3, "big theme font", "global"), slot: "font" },
      { ...theme(4, "theme of the week", "global"), slot: undefined as never },
    ]);
    expect(hits(input)).toHaveLength(4);
  });
});

describe("diversity", () => {
  const vector = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle));

  test("near-duplicates and repeated texts give way to the better hit", () => {
    const input = rankingOf("kraken", [
      { id: 1, text: "kraken seen", cosine: 0.9, vectors: [vector(0)] },
      { id: 2, text: "Kraken: seen!", cosine: 0.85, vectors: [vector(0.1)] },
      { id: 3, text: "kraken is a ship", cosine: 0.4, vectors: [vector(0.1), vector(1)] },
      { id: 4, text: "kraken seen", scope: "global", cosine: 0.3 },
    ]);
    expect(hits(input)).toEqual(["kraken seen", "kraken is a ship"]);
    expect(rankCandidates(input).dropped).toMatchObject([
      { id: idOf(2), reason: "NEAR_DUPLICATE", inFavourOf: idOf(1) },
      { id: idOf(4), reason: "NEAR_DUPLICATE", inFavourOf: idOf(1) },
    ]);
  });

  test("nearly the same words that say something else stand too", () => {
    const pairs = [
      ["I am allergic to kraken.", "I am not allergic to kraken."],
      ["The kraken costs 20 euros.", "The kraken costs 25 euros."],
      ["The kraken meeting is at 3 pm.", "The kraken meeting is at 5 pm."],
      ["The kraken host of Ann is 10.0.0.1.", "The kraken host of Ben is 10.0.0.2."],
    ] as const;
    for (const [one, other] of pairs) {
      const input = rankingOf("kraken", [
        { id: 1, text: one, cosine: 0.9, vectors: [vector(0)] },
        { id: 2, text: other, cosine: 0.85, vectors: [vector(0)] },
      ]);
      expect(hits(input).toSorted()).toEqual([one, other].toSorted());
    }
  });

  test("of two that contradict each other the newer one stands first, whatever it scores", () => {
    const ofPrice = (daysOld: number, price: number, id: number): Sketch => {
      return { id, text: `The kraken costs ${price} euros.`, daysOld, cosine: 1 - id / 10, vectors: [vector(0)] };
    };
    const input = rankingOf("What does the kraken cost?", [ofPrice(9, 20, 1), ofPrice(2, 25, 2), ofPrice(5, 30, 3)]);
    expect(hits(input)).toEqual([25, 30, 20].map((price) => `The kraken costs ${price} euros.`));
    // Who asks for one of them gets that one first.
    const other = rankingOf("Did the kraken cost 20?", [ofPrice(9, 20, 1), ofPrice(2, 25, 2)]);
    expect(hits(other)).toEqual([20, 25].map((price) => `The kraken costs ${price} euros.`));
  });

  test("of one slot's values in one scope the newest stands first, in whatever words, also for a single place", () => {
    const theme = { slot: "theme", category: "preference" };
    const sketches: Sketch[] = [
      { id: 1, text: "The kraken theme is dark", daysOld: 30, cosine: 0.9, ...theme },
      { id: 2, text: "kraken: light since yesterday", daysOld: 1, cosine: 0.5, ...theme },
      { id: 3, text: "kraken theme song", daysOld: 0, cosine: 0.7 },
    ];
    const values = ["kraken: light since yesterday", "The kraken theme is dark"];
    const found = hits(rankingOf("kraken theme", sketches)).filter((text) => text !== "kraken theme song");
    expect(found).toEqual(values);
    const limits = { limit: 1 };
    expect(hits(rankingOf("kraken theme", sketches.slice(0, 2), { limits }))).toEqual(values.slice(0, 1));
  });

  test("a single category's memories give way to the limit, not to a share", () => {
    const facts = Array.from({ length: 6 }, (_, id): Sketch => ({ id, text: `kraken fact ${id}`, cosine: 0.9 }));
    const input = rankingOf("kraken", facts, { limits: { limit: 4 } });
    expect(dropped(input).map(([, reason]) => reason)).toEqual(["OVER_LIMIT", "OVER_LIMIT"]);
  });

  test("a category takes half of the places while others wait, and the rest when none do", () => {
    const facts = Array.from({ length: 6 }, (_, id): Sketch => ({ id, text: `kraken fact ${id}`, cosine: 0.9 }));
    const notes: Sketch[] = [{ id: 10, text: "kraken note", category: "note", cosine: 0.3 }];
    const limits = { limit: 4 };
    expect(hits(rankingOf("kraken", facts, { limits }))).toHaveLength(4);
    const mixed = rankingOf("kraken", [...facts, ...notes], { limits });
    expect(hits(mixed).filter((text) => text.includes("note"))).toEqual(["kraken note"]);
    expect(hits(mixed)).toHaveLength(4);
    const full = rankingOf("kraken", [...facts, ...notes, { ...(notes[0] as Sketch), id: 11, text: "kraken note 2" }], {
      limits,
    });
    expect(hits(full).filter((text) => text.includes("fact"))).toHaveLength(2);
    expect(new Set(dropped(full).map(([, reason]) => reason))).toEqual(new Set(["CATEGORY_SHARE"]));
  });

  test("nobody gives way to what scores less than half as much", () => {
    const facts = Array.from({ length: 4 }, (_, id): Sketch => ({ id, text: `kraken fact ${id}`, cosine: 0.9 }));
    const note: Sketch = { id: 10, text: "something else", category: "note", cosine: 0.3 };
    const limits = { limit: 3 };
    const weak = rankingOf("kraken", [...facts, note], { limits });
    expect(hits(weak).filter((text) => text.includes("fact"))).toHaveLength(3);
    const strong = rankingOf("kraken", [...facts, { ...note, cosine: 0.8, text: "kraken, too" }], { limits });
    expect(hits(strong)).toContain("kraken, too");
  });

  test("who stood back comes before what scores less, as soon as nobody is left to stand back for", () => {
    const facts = [0.9, 0.85, 0.2].map((cosine, id): Sketch => ({ id, text: `kraken fact, ${id}`, cosine }));
    const note: Sketch = { id: 10, text: "kraken note, 3", category: "note", cosine: 0.7 };
    const input = rankingOf("kraken", [...facts, note], { limits: { limit: 3 } });
    expect(hits(input)).toEqual(["kraken fact, 0", "kraken fact, 1", "kraken note, 3"]);
    expect(dropped(input)).toEqual([["kraken fact, 2", "OVER_LIMIT"]]);
  });

  test("a source takes at most 5 places, in facts and procedures together; a conversation may take more", () => {
    const of = (provenance: Provenance): Sketch[] =>
      Array.from({ length: 8 }, (_, id): Sketch => {
        return { id, text: `kraken claim ${id}`, category: id % 2 ? "procedure" : "fact", provenance, cosine: 0.9 };
      });
    const document = rankingOf("kraken", of({ kind: "document", sourceId: "one" }));
    expect(hits(document)).toHaveLength(5);
    expect(dropped(document).map(([, reason]) => reason)).toEqual(Array.from({ length: 3 }, () => "SOURCE_SHARE"));
    expect(hits(rankingOf("kraken", of({ kind: "conversation", sourceId: "one" })))).toHaveLength(8);
  });
});

describe("limits", () => {
  const sketches = Array.from({ length: 12 }, (_, id): Sketch => {
    return {
      id,
      text: `kraken ${id} ${"tentacle ".repeat(id)}`,
      category: id % 3 === 0 ? "procedure" : `kind${id}`,
      cosine: 0.9,
    };
  });

  test("procedures have their own places, and all come best first", () => {
    const { hits } = rankCandidates(rankingOf("kraken", sketches, { limits: { limit: 3, procedureLimit: 2 } }));
    expect(hits.filter(({ memory }) => memory.category === "procedure")).toHaveLength(2);
    expect(hits).toHaveLength(5);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hitsWithout(0)).toBe(3);
    function hitsWithout(procedureLimit: number): number {
      return rankCandidates(rankingOf("kraken", sketches, { limits: { limit: 3, procedureLimit } })).hits.length;
    }
  });

  test("a long text is cut, a text that does not fit any more is left out", () => {
    const text = `kraken ${"tentacle ".repeat(400)}`;
    const long: Sketch = { id: 1, text, cosine: 1, importance: 1 };
    const input = rankingOf("kraken", [long, { id: 2, text: "kraken kraken", cosine: 0 }], {
      limits: { maxTokens: 52, maxTokensPerMemory: 50 },
    });
    const ranking = rankCandidates(input);
    expect(ranking.hits).toMatchObject([{ truncated: true, memory: { text } }]);
    expect(ranking.hits[0]?.tokens).toBeLessThanOrEqual(50);
    expect(ranking.hits[0]?.text).toMatch(/^kraken tentacle .* tentacle \.\.\.$/);
    expect(ranking.dropped).toMatchObject([{ id: idOf(2), reason: "OVER_TOKENS" }]);
  });
});

describe("the speaker a question names", () => {
  const said = (id: number, speaker: string, text = "the kraken is in the harbour"): Sketch => {
    const provenance: Provenance = { kind: "conversation", sourceId: `c${id}`, position: 0, speaker };
    return { id, text, daysOld: id, provenance };
  };

  test("is put first, by any word of the name", () => {
    for (const question of ["What did Bob say about the kraken?", "Bob's kraken", "BOB MARLEY and the kraken"]) {
      const sketches = [said(1, "Ada Lovelace"), said(2, "Bob Marley", "the kraken is at sea, no harbour")];
      const input = rankingOf(question, sketches, { embedder: openToAll });
      const { hits: found } = rankCandidates(input);
      expect(found[0]?.memory.provenance?.speaker).toBe("Bob Marley");
      expect(found.map(({ parts }) => parts.speaker)).toEqual([1.2, undefined]);
      for (const hit of found) expect(scoreAgain(hit.parts, input)).toBe(hit.score);
    }
  });

  test("changes nothing when nobody is named, and lets nothing past the relevance floor", () => {
    const nobody = rankCandidates(
      rankingOf("Where is the kraken?", [said(1, "Ada"), said(2, "Bob", "the kraken swims")]),
    );
    expect(nobody.hits.map(({ parts }) => parts.speaker)).toEqual([undefined, undefined]);
    const many = [10, 11, 12].map((id): Sketch => ({ id, text: `bob and the deploy ${id}` }));
    const silent = rankingOf("What does Bob think of the deploy?", [...many, said(1, "Bob", "lunch")]);
    expect(dropped(silent)).toContainEqual(["lunch", "BELOW_RELEVANCE_FLOOR"]);
  });
});

describe("what a reranker said", () => {
  const sketches: readonly Sketch[] = [1, 2, 3].map((id) => ({ id, text: `kraken ${"ship ".repeat(id)}` }));

  test("is its share of relevance; what it was not asked counts as its lowest answer", () => {
    const input = rankingOf("kraken", sketches);
    const plain = new Map(rankCandidates(input).hits.map(({ memory, parts }) => [memory.id, parts.relevance]));
    const reranked = new Map([
      [memoryId(idOf(1)), 0.2],
      [memoryId(idOf(3)), 0.9],
    ]);
    const again = { ...input, reranked };
    const { hits: found } = rankCandidates(again);
    expect(found.map(({ memory }) => memory.id)).toEqual([3, 1, 2].map(idOf));
    expect(found.map(({ parts }) => parts.rerank)).toEqual([0.9, 0.2, 0.2]);
    for (const { memory, score, parts } of found) {
      expect(parts.relevance).toBeCloseTo(0.3 * (plain.get(memory.id) ?? 0) + 0.7 * (parts.rerank ?? 0), 12);
      expect(scoreAgain(parts, again)).toBe(score);
    }
  });

  test("is asked about the best that pass the floor, best first", () => {
    const input = rankingOf("kraken", [...sketches, { id: 9, text: "lunch", cosine: 0.1 }]);
    const best = rankCandidates(input).hits.map(({ memory }) => memory.id);
    expect(rerankable(input, 10).map(({ id }) => id)).toEqual(best);
    expect(rerankable(input, 2)).toEqual(rerankable(input, 10).slice(0, 2));
  });
});

test("a cascade fills up scope by scope, and orders what it took by score", () => {
  const input = rankingOf(
    "kraken",
    [
      { id: 1, text: "kraken of the user", category: "a", cosine: 0.2 },
      { id: 2, text: "kraken of the project", category: "b", cosine: 0.9, scope: "project:loci" },
      { id: 3, text: "kraken of the project, old", category: "c", cosine: 0.9, scope: "project:loci", daysOld: 90 },
      { id: 4, text: "kraken kraken of all", category: "d", cosine: 1, scope: "global" },
    ],
    { strategy: "cascade", limits: { limit: 2 }, scopes: parseScopes(["global", "project:loci", "user:ada"]) },
  );
  expect(hits(input)).toEqual(["kraken of the project", "kraken of the user"]);
  expect(hits({ ...input, strategy: "union" })[0]).toBe("kraken kraken of all");
});

test("equal scores are ordered by nearness of scope, then by id", () => {
  const sketches: Sketch[] = [
    { id: 1, text: "kraken one", scope: "global" },
    { id: 4, text: "kraken two", scope: "user:ada" },
    { id: 3, text: "kraken six", scope: "user:ada" },
    { id: 2, text: "kraken ten", scope: "project:loci" },
  ];
  const { hits } = rankCandidates(rankingOf("kraken", sketches));
  expect(new Set(hits.map(({ score }) => score)).size).toBe(1);
  expect(hits.map(({ memory }) => memory.id)).toEqual([idOf(3), idOf(4), idOf(2), idOf(1)]);
});

test("nothing is explained unless asked for", () => {
  const input = rankingOf("kraken", [{ id: 1, text: "lunch" }], { explain: false });
  expect(rankCandidates(input)).toEqual({ hits: [], dropped: [], unread: [] });
});

test("every hit's score is made of its parts, to the last bit", () => {
  const input = rankingOf("kraken ship", [
    {
      id: 1,
      text: "kraken ship",
      cosine: 0.71,
      daysOld: 3.3,
      provenance: { kind: "conversation", sourceId: "c", position: 0 },
    },
    { id: 2, text: "ship", cosine: 0.33, daysOld: 9, provenance: { kind: "conversation", sourceId: "c", position: 1 } },
  ]);
  for (const { score, parts } of rankCandidates(input).hits) expect(score).toBe(scoreAgain(parts, input));
});
