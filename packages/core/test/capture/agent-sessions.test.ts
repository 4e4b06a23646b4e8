import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wordsOfPeople } from "../../src/capture/extract/words-of-people.ts";
import { capture, turnsOf } from "./captured.ts";

const sessions = new URL("../golden/agent-sessions/", import.meta.url);

interface Session {
  readonly turns: readonly { readonly role: string; readonly content: string }[];
  readonly kept: readonly string[];
}

function keptOf(lines: readonly string[]): readonly string[] {
  return capture(turnsOf(...lines)).flatMap(({ reason, text }) => (reason === null ? text : []));
}

describe("of a session of an agent, what a person said is kept", () => {
  test.each(readdirSync(sessions))("%s", (file) => {
    const { turns, kept } = JSON.parse(readFileSync(new URL(file, sessions), "utf8")) as Session;
    expect(keptOf(turns.map(({ role, content }) => `${role}: ${content}`))).toEqual(kept);
  });
});

const asked = "assistant: Let me look.\n```\nnpm test\n```";

describe("what programs write in the place of a user", () => {
  test.each([
    ["user: Observation: parcels must always be paid at the door.", [asked]],
    ["user: [run for 'npm test'] Result:\nYou must never report success while a test is failing.", [asked]],
    ["user: RESULT of [run]:\nAll tests must pass before release.", [asked]],
    ["user: Call id: call_3\nObservation: guests must book before they come.", [asked]],
    [
      "user: [ERROR] Please retry.\n# Reminder\nAlways close each tag.\n# Next\nWhen you have completed the user's task, always stop.",
      [],
    ],
    ['user: {"note": "We never refund shipping. I live in Oslo."}', []],
    ["user: <tool_result>\nI live in Oslo.\nNever ring twice.\n</tool_result>", []],
    [
      "user: --- a/rules.md\n+++ b/rules.md\n@@ -1,2 +1,2 @@\n-Never deploy on Fridays.\n+Always deploy on Fridays.",
      [],
    ],
    ["user: ERROR 2026-11-29 10:09:01 payments: I cannot reach the bank in Oslo", []],
    ["user: Traceback: I am a teapot", []],
    ["user: 3 | // we always round to whole cents\n4 | total()", []],
    ["user: [12] StaticText 'Guests must always pay a deposit of 20 euros.'", []],
    ["user: Your edit was refused.\n\nAlways write whole lines.\n(file: b.ts)\nbox:~$", ["user: a.ts\nbox:~$", asked]],
  ])("%j", (turn, before) => expect(keptOf([...before, turn])).toEqual([]));

  test("what a program begins a session with, but for the words of whoever set the task", () => {
    const brief = `TOOLS:
You have access to a shell. You can run any command. You will be given its output.
RULES:
Never use an interactive editor. Always answer with one command.
TASK:
My site is down since Monday. I deploy from Oslo.`;
    expect(keptOf([`user: ${brief}`])).toEqual([
      "The user's site is down since Monday.",
      "The user deploys from Oslo.",
    ]);
  });
});

describe("what a person writes", () => {
  test.each([
    [
      "below a log",
      `user: Output:\n> vitest run\nError: 2 failed\n\nNever run migrations on prod.`,
      "Never run migrations on prod.",
    ],
    ["above a log", "user: We deploy on Mondays.\n\nbox:~$ npm test\nError: 2 failed", "The team deploys on Mondays."],
    ["between marks", "user: <user_query>\nI live in Oslo.\n</user_query>", "The user lives in Oslo."],
    ["as rules between marks", "user: <user_rules>\nNever use tabs.\n</user_rules>", "Never use tabs."],
    ["with an object beside it", 'user: I live in Oslo.\n{"a": 1}', "The user lives in Oslo."],
    ["behind a change", "user: @@ -1 +1 @@\n-a\n+b\n\nI live in Oslo.", "The user lives in Oslo."],
    ["of what a list is like", "user: My trips:\n- I live in Oslo.\n- I work in Bergen.", "The user lives in Oslo."],
  ])("%s", (_, turn, kept) => expect(keptOf([asked, turn])).toContain(kept));

  test("on what the assistant is to be is a person's, without the headings of a program", () => {
    const told = "You are my coach. You can be strict. You have to keep it short. Always answer in British English.";
    expect(keptOf([`user: ${told}`])).toContain("Always answer in British English.");
  });

  test("on users of a program of theirs is a person's", () => {
    const told = "# Login\nWhen the user logs in, always ask for a code.\n# Logout\nNever ask the user twice.";
    expect(keptOf([`user: ${told}`])).toContain("Never ask the user twice.");
  });

  test("under the same headings each time is no frame of a program", () => {
    const said = ["I run a bakery.", "I have two sons."].map(
      (line) => `user: Context:\nThe oven is hot.\n\n${line}\n\nQuestion:\nWhat now?`,
    );
    expect(keptOf(said)).toEqual(["The user runs a bakery.", "The user has two sons."]);
  });

  test("each time in the same words is no frame of a program", () => {
    const lines = ["Never deploy on Fridays.", "Always ask me before you merge."];
    const said = lines.map((line) => `user: Hi there!\n${line}\nThanks!`);
    expect(keptOf(said)).toEqual(
      lines.map((line) => line.replace(" me ", " the user ").replace("you merge", "the assistant merges")),
    );
  });
});

test("of any turns every line keeps its place", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("<tool_result>", "</tool_result>", "Output:", "TOOLS:", "You can run it.", "My car.", "box:~$", ""),
  );
  const turn = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(turn, turn, (first, second) => {
      const turns = turnsOf(`user: ${first}`, asked, `user: ${second}`);
      const writtenBy = wordsOfPeople(turns);
      for (const each of turns) {
        const kept = writtenBy(each).split("\n");
        expect(kept.map(({ length }) => length)).toEqual(each.content.split("\n").map(({ length }) => length));
      }
    }),
  );
});
