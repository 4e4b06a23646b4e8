import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyseQuery, analyseText, termCount } from "../../src/index.ts";
import { processorTime } from "../processor-time.ts";

describe("words", () => {
  test("are lower-cased, stemmed, counted, and stop words left out", () => {
    const terms = analyseText("What did the engineers deploy? Deploying an engineer's DEPLOYMENTS.");
    expect([...terms]).toEqual([
      ["engin", 2],
      ["deploy", 3],
    ]);
    expect(termCount(terms)).toBe(5);
  });

  test("a question's terms come once each, in order of appearance", () => {
    expect(analyseQuery("Which tests test the cascade of tests?")).toEqual(["test", "cascad"]);
  });

  test("contractions say nothing, possessives are their word, other apostrophes separate", () => {
    expect(analyseQuery("don't can’t WON'T Caroline's we'll ADR-007's o'clock")).toEqual([
      "carolin",
      "adr",
      "007",
      "adr-007",
      "o",
      "clock",
    ]);
  });

  test.each([
    "buy bought buying",
    "child children",
    "colour color coloured colors",
    "favourite favorite",
    "organise organized organisation organization",
    "analyse analyzing",
    "licence license licences",
    "theatre theaters",
    "programme program programming",
  ])("one term stands for all of: %s", (words) => {
    expect(analyseQuery(words)).toHaveLength(1);
    expect(analyseQuery(words.toUpperCase())).toEqual(analyseQuery(words));
  });

  test.each(["improvise improve", "paradise parade", "treatise treat", "noise raise rise", "man mane"])(
    "what is only spelled alike stays apart: %s",
    (words) => {
      expect(new Set(words.split(" ").map((word) => analyseQuery(word)[0])).size).toBe(words.split(" ").length);
    },
  );

  test("other languages keep their words whole", () => {
    expect(analyseQuery("Москва решение")).toEqual(["москва", "решение"]);
  });

  test.each([
    ["Chloé", "chloe"],
    ["cafés", "CAFE"],
    ["smørrebrød", "smorrebrod"],
    ["Łódź", "lodz"],
    ["İstanbul", "istanbul"],
    ["Nguyễn", "nguyen"],
    ["Ελλάδα", "ΕΛΛΑΔΑ"],
    ["ёлка", "елка"],
    ["مُحَمَّد", "محمد"],
    ["Zoe\u0308", "zoe"],
    ["Cliché-7", "cliche-7"],
  ])("%s is found as %s, and the other way round", (accented, plain) => {
    expect(analyseQuery(accented)).toEqual(analyseQuery(plain));
    expect(analyseQuery(plain).length).toBeGreaterThan(0);
  });

  test("marks that make another letter stay", () => {
    expect(analyseQuery("йод")).not.toEqual(analyseQuery("иод"));
    expect(analyseQuery("हिन्दी")).not.toEqual(analyseQuery("हन्द"));
  });
});

test("Chinese, Japanese, Korean and Thai are pairs of neighbouring characters", () => {
  expect(analyseQuery("数据库 东")).toEqual(["数据", "据库", "东"]);
  expect(analyseQuery("東京タワー")).toEqual(["東京", "京タ", "タワ", "ワー"]);
  expect(analyseQuery("서울시 ไทย")).toEqual(["서울", "울시", "ไท", "ทย"]);
  expect(analyseQuery("𠀀𠀁")).toEqual(["𠀀𠀁"]);
  expect(analyseQuery("iPhone買う")).toEqual(["iphon", "phone", "買う"]);
});

describe("identifiers are found whole and in parts", () => {
  test.each([
    ["ADR-007", ["adr-007", "adr", "007"]],
    ["user_id", ["user_id", "user", "id"]],
    ["src/core/index.ts", ["src/core/index.ts", "index.ts", "src", "core", "index", "ts"]],
    [String.raw`C:\src\main.rs`, ["main.rs", "main", "rs"]],
    ["v1.2.3", ["v1.2.3", "v1"]],
    ["alice@example.com", ["alice@example.com", "alic", "com"]],
    ["camelCase", ["camel", "case"]],
    ["HTTPServer2", ["httpserver2", "http", "server2"]],
    ["std::vector", ["std", "vector"]],
    ["R&D", ["r&d"]],
  ])("%s", (identifier, terms) => {
    expect(analyseQuery(`Where is "${identifier}"?`)).toEqual(expect.arrayContaining(terms));
    expect(analyseQuery(identifier.toUpperCase())).toContain(analyseQuery(identifier.toLowerCase()).at(-1));
  });

  test("however they are written: GitHub and github are one", () => {
    expect(analyseQuery("GitHub")).toContain(analyseQuery("github")[0]);
    expect(analyseQuery("ＡＤＲ－００７")).toEqual(analyseQuery("ADR-007"));
    expect(analyseQuery("pass\u200bword\u00ad")).toEqual(analyseQuery("password"));
  });
});

describe("a word and a number behind it are found together", () => {
  test.each([
    ["Room 101 seats 12", ["room", "101", "room-101", "seat", "12", "seats-12"]],
    ["PostgreSQL 16's", ["postgresql", "postgr", "sql", "16", "postgresql-16"]],
    ["version 1.2", ["version", "1", "2", "1.2", "version-1.2"]],
    ["in the room-101", ["room", "101", "room-101"]],
  ])("%s", (text, terms) => {
    expect(analyseQuery(text)).toEqual(terms);
  });

  test.each([
    ["not behind a stop word", "at 9 the 5"],
    ["not apart", "room, 5 room: 5 room\n5 room  5"],
    ["not two numbers", "7 12"],
    ["not what is written with a comma", "paid 2,500"],
    ["not an identifier", "room_a 5"],
    ["not the other way round", "5 rooms"],
  ])("%s", (_, text) => {
    expect(analyseQuery(text).filter((term) => term.includes("-"))).toEqual([]);
  });
});

describe("nothing in a text acts or throws", () => {
  test("operators are punctuation", () => {
    expect(analyseQuery(`"+deploy" AND (NOT title:x*) ^2 ~ OR 1=1; -- deploy`)).toEqual([
      "deploy",
      "titl",
      "x",
      "title:x",
      "2",
      "1",
    ]);
    expect(analyseQuery("the of and what?")).toEqual([]);
    expect(analyseQuery("")).toEqual([]);
  });

  test("every term is well-formed, short and not a stop word, and the question finds its own text", () => {
    const pieces = [
      "\ud800",
      "\udc00",
      "a",
      "Z",
      "é",
      "\u0301",
      "漢",
      "ก",
      "😀",
      "-",
      "/",
      "'",
      "0",
      " ",
      "the",
      "İ",
      "ﬁ",
    ];
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 300 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (text) => {
        const terms = analyseText(text);
        expect(analyseQuery(text)).toEqual([...terms.keys()]);
        for (const term of terms.keys()) {
          expect(term.isWellFormed()).toBe(true);
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(128);
          expect(term).not.toMatch(/\s/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("what it remembers of earlier texts never shows", () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `w${index}`);
    const first = analyseQuery("migrations running daily");
    analyseText(words.join(" "));
    expect(analyseQuery("migrations running daily")).toEqual(first);
    expect(analyseText(words.join(" ")).size).toBe(words.length);
  });
});

// An algorithm quadratic in the length would take far longer than the limit on each of these.
test.each([
  // `normalize` alone takes 10 seconds for each of the first two, and most of an hour for ten times as much.
  ["combining marks", `a${"\u0315\u0300".repeat(40_000)}`],
  ["letters that decompose to marks", "\u0315\uff9e".repeat(40_000)],
  ["one word", "x".repeat(1_000_000)],
  ["camel case", "aB".repeat(500_000)],
  ["dots", "a.".repeat(500_000)],
  ["slashes", "ab/c.d/".repeat(150_000)],
  ["apostrophes", "a'".repeat(500_000)],
  ["words and numbers", "a 5 ".repeat(300_000)],
  ["one word with accents", "\u00e9".repeat(1_000_000)],
  ["ideographs", "漢字".repeat(500_000)],
  ["invisible characters", "a\u200b".repeat(500_000)],
  ["lone surrogates", "\ud800".repeat(1_000_000)],
])("%s take linear time", (_, text) => {
  const time = processorTime(() => expect(analyseText(text).size).toBeLessThan(10));
  expect(time).toBeLessThan(4_000);
});
