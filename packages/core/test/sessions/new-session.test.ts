import type { SessionInput } from "@loci/domain";
import { expect, test } from "vitest";
import { newSession } from "../../src/index.ts";
import { now } from "./kept-session.ts";

test("what is left out has its default", () => {
  expect(newSession({ scope: "user:alice", id: "s1" }, now)).toEqual({
    scope: { kind: "user", id: "alice" },
    id: "s1",
    capture: "onClose",
    rememberTurns: false,
    keepSecrets: false,
    state: "open",
    lastTurn: 0,
    createdAt: now,
    updatedAt: now,
    openToolCalls: [],
  });
});

test("what is given is kept", () => {
  const given = {
    agent: "a",
    project: "p",
    title: "One\ntwo",
    capture: { everyTurns: 20 },
    rememberTurns: true,
    keepSecrets: true,
  };
  expect(newSession({ scope: "global", id: "s1", createdAt: 7, ...given }, now)).toMatchObject({
    ...given,
    createdAt: 7,
  });
});

test.each<[string, object, string]>([
  ["an unknown field", { name: "x" }, "INVALID_REQUEST"],
  ["an id with a line break", { id: "a\nb" }, "INVALID_IDENTIFIER"],
  ["a scope of no kind", { scope: "nobody" }, "INVALID_SCOPE"],
  ["an empty title", { title: " " }, "INVALID_TEXT"],
  ["a title over 1,000 bytes", { title: "é".repeat(501) }, "INVALID_TEXT"],
  ["a setting that is none", { capture: "never" }, "INVALID_REQUEST"],
  ["a capture every 0 turns", { capture: { everyTurns: 0 } }, "INVALID_NUMBER"],
  ["a flag that is text", { rememberTurns: "yes" }, "INVALID_REQUEST"],
])("refuses %s", (_, change, reason) => {
  const input = { scope: "user:alice", id: "s1", ...change } as SessionInput;
  expect(() => newSession(input, now)).toThrow(expect.objectContaining({ reason }));
});
