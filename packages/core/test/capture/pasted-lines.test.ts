import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statementsOf } from "../../src/capture/extract/statements.ts";
import { withoutPastedLines } from "../../src/capture/extract/without-pasted-lines.ts";

describe("lines that nobody says", () => {
  test.each([
    "1472:        if value is None:\n1473:            return None",
    "   9:ds.SamplesPerPixel = 1\n  10:ds.Rows = 5",
    "1:from pydicom.dataset import Dataset",
    "[File: /src/marshmallow/fields.py (1997 lines total)]",
    "(1463 more lines above)",
    "bash-$",
    "ann@build:~/loci$",
    "Traceback (most recent call last):",
    '  File "/pydicom/dataset.py", line 1444, in convert_pixel_data',
    "    at runCommand (/app/src/main.ts:12:9)",
    "AttributeError: the dataset has no PixelRepresentation",
    "```\nI live in Oslo.\n```",
    "def group(vans):\n    last = None\n    for van in vans:\n        if last is None:\n            last = [van]\n        else:\n            out[last[0].depot] = last\n    return out",
    "class Van:\n\n    wheels = 4\n",
    'gleaner/sensors.py:22: error: Argument 1 to "post" has incompatible type "str"',
    "./middleware.ts:8:15",
    "src/total.ts(41,22): error TS2345: We never pass a number here.",
    "ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with the lock file of our team",
    "Error: Process completed with exit code 1.",
    "Fatal error: I found nil while unwrapping",
    "Thread 1: EXC_BREAKPOINT (code=1, subcode=0x1a2b3c)",
    "error[E0382]: I cannot move out of a borrow",
    "npm ERR! we could not resolve the tree",
    " FAIL  src/cart/total.test.ts > always adds shipping",
    "✓ we always round to whole cents",
    "TypeError: rate is undefined\nThe exception above was always caused by this:\n    at quote (/app/quote.ts:41:22)",
    "From: desk@harbour.example\nSubject: Your berth\n\nI am allergic to cats.\nKind regards,\nSandra Holt",
  ])("%s", (text) => {
    expect(withoutPastedLines(text)).toMatch(/^[ \n]*$/u);
    expect(withoutPastedLines(text)).toHaveLength(text.length);
  });

  test.each([
    "10:30 we meet the landlord",
    "1: Oslo, since I live there",
    "100%",
    "100$",
    "I use bash - $5 a month is enough",
    "[ ] I still have to renew my passport in May",
    "at the moment I live in Oslo (Norway)",
    "The error: I typed my old address",
    "Hi there,\nI live in Oslo.\nCheers,\nAnn",
    "From: Oslo, that is where I live",
    "Please polish the mail I wrote:\nDear Ms Holt,\nI am allergic to cats.\nKind regards,\nAnn",
    "STRIPE_KEY belongs into the vault, we never commit it",
    "src/gen is generated: never touch it",
    "fail early, we never swallow errors",
    "we use a.ts: that is where the routes are",
    "at 10:30: the landlord",
    "const is a word of JavaScript\nif it rains, I stay at home",
  ])("not %s", (text) => expect(withoutPastedLines(text)).toBe(text));

  test("nothing is made of them, and what is said beside them is read", () => {
    const content =
      "OBSERVATION:\n[File: a.py (3 lines total)]\n1:limit = 10\n2:name = 'Rasmus'\n3:run(limit)\nbash-$\n\nI live in Utrecht.";
    const kept = statementsOf([{ turn: 1, role: "user", content, at: 0 }]).filter(
      ({ pattern }) => pattern !== undefined,
    );
    expect(kept.map(({ text }) => text)).toEqual(["The user lives in Utrecht."]);
  });

  test("what a person says right above and below what a program prints is heard", () => {
    const content =
      "I live in Utrecht.\nError: 2 failed\n    at quote (/app/quote.ts:41:22)\nNever run migrations on prod.\n\nError: 1 failed";
    const kept = statementsOf([{ turn: 1, role: "user", content, at: 0 }]).filter(
      ({ pattern }) => pattern !== undefined,
    );
    expect(kept.map(({ text }) => text)).toEqual(["The user lives in Utrecht.", "Never run migrations on prod."]);
  });

  test.each([
    "The reply from the harbour:\n\nDear Ann,\nI am allergic to cats and live in Halifax.\n\nBest wishes,\nSandra Holt\n\nI live in Utrecht.",
    "What do I have to do?\n\nFrom: desk@harbour.example\nSubject: Berth\nDear Ann,\nI live in Halifax.\nRegards, Sandra\n\nI live in Utrecht.",
    "I live in Utrecht. It's from school:\n\nDear parents of Year 2,\nI live in Halifax myself.\nMrs B. Moor",
  ])("what stands in a letter is of whoever wrote it: %s", (content) => {
    const kept = statementsOf([{ turn: 1, role: "user", content, at: 0 }]).filter(
      ({ pattern }) => pattern !== undefined,
    );
    expect(kept.map(({ text }) => text)).toEqual(["The user lives in Utrecht."]);
  });

  test("an abbreviation in brackets ends no sentence", () => {
    const content = "I never use interactive tools (e.g. vim) at work.";
    expect(statementsOf([{ turn: 1, role: "user", content, at: 0 }])).toHaveLength(1);
  });

  test("of any text every line keeps its place", () => {
    const line = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("12: x", "13: y", "```", "[a]", "bash-$"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join("\n");
        const kept = withoutPastedLines(text);
        expect(kept).toHaveLength(text.length);
        expect(kept.split("\n").map((each) => each.length)).toEqual(text.split("\n").map((each) => each.length));
      }),
    );
  });
});
