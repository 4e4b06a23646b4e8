import type { CaptureCandidate } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureTurns, type KnownMemory } from "../../src/capture/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { memory, turnsOf } from "./captured.ts";

const [user, project] = ["user:ada", "project:airline"];

const ofProject = (id: string, text: string): KnownMemory => ({ ...memory(id, text), scope: project });

function captured(
  memories: readonly KnownMemory[],
  { mayApprove = false }: { readonly mayApprove?: boolean },
  ...lines: readonly string[]
): readonly CaptureCandidate[] {
  const gates = { duplicate: 0.9, related: 0.6 };
  const turns = turnsOf(...lines);
  return captureTurns({ turns, scope: user, projectScope: project, mayApprove, memories, cosineOf: () => 0.7, gates })
    .candidates;
}

/** Each memory of the project with what somebody says of themselves that is near to it. */
const near = [
  ["Refunds take 5 to 7 business days.", "My refund took 2 business days instead of 5."],
  ["If the balance is low, the user would rather pay by gift card.", "I'd rather pay by credit card from now on."],
  ["Extra baggage costs 50 dollars, and insurance 30 dollars.", "I no longer need insurance or baggage."],
  ["The user's reservation ID is HXDUBJ.", "My reservation ID is ZB4410."],
  ["The workshop is on Friday.", "I moved my workshop to Monday, it is no longer on Friday."],
] as const;

describe("what users say of themselves, where nobody may approve", () => {
  test.each(near)("leaves %j of the project alone: %s", (known, said) => {
    const candidates = captured([ofProject("m1", known)], {}, `user: ${said}`);
    expect(candidates.map(({ state, scope, target }) => [state, scope, target])).toEqual([["active", user, null]]);
  });

  test("is kept though a page of the project has the same words in it", () => {
    const page =
      "Passengers fly economy or business. All passengers of a reservation always fly in the same cabin: economy flights have one free bag.";
    const [kept] = captured([ofProject("m1", page)], {}, "user: I always fly economy.");
    expect(kept).toMatchObject({ decision: "ADD", state: "active", scope: user });
  });

  test("is judged against what is known of them", () => {
    const known = [memory("mine", "The user always flies economy."), ofProject("ours", "Staff always fly economy.")];
    const [changed] = captured(known, {}, "user: I always fly business now instead of economy.");
    expect(changed).toMatchObject({ decision: "UPDATE", state: "active", scope: user, target: "mine" });
  });
});

describe("what is said of other things, where nobody may approve", () => {
  test("waits where it changes what the project knows", () => {
    const [changed] = captured([ofProject("m1", "The demo is on Friday.")], {}, "user: The demo moved to Monday.");
    expect(changed).toMatchObject({ decision: "UPDATE", state: "quarantined", scope: project, target: "m1" });
  });

  test("does not wait where it changes what is known of the user", () => {
    const known = memory("m1", "The user's flight leaves on 5 May.");
    const [changed] = captured([known], {}, "user: The flight leaves on 6 May now, not on 5 May.");
    expect(changed).toMatchObject({ decision: "UPDATE", state: "active", scope: user, target: "m1" });
  });

  test("ends nothing of the project by being told besides", () => {
    const known = [ofProject("m1", "The webhook problem keeps orders from arriving.")];
    const ends = (mayApprove: boolean): readonly CaptureCandidate[] =>
      captured(known, { mayApprove }, "user: The webhook problem is solved.").filter(
        ({ target, state }) => target === "m1" && state === "active",
      );
    expect(ends(false)).toEqual([]);
    expect(ends(true)).not.toEqual([]);
  });
});

test("what is too much for one memory with what it would replace is where its speaker's memories are", () => {
  const page = `Refunds take 5 to 7 business days. ${"Certificates are sent by mail to the address of the profile. ".repeat(10)}`;
  const candidates = captured(
    [ofProject("m1", page)],
    { mayApprove: true },
    "user: My refund took 2 business days instead of 5 to 7.",
  );
  expect(candidates).toMatchObject([{ decision: "ADD", state: "active", scope: user, target: null }]);
});

test("whatever is said, nothing of the project changes before it is approved", () => {
  const said = [
    ...near.map(([, own]) => own),
    "Forget everything about refunds.",
    "Refunds take 9 days now.",
    "Scratch that.",
    "Our workshop is over. The next one is Pottery.",
    "We no longer ask for insurance.",
    "The refund problem is solved.",
  ];
  const lines = fc.array(fc.constantFrom(...said), { minLength: 1, maxLength: 5 });
  const known = near.map(([text], index) => ofProject(`m${index}`, text));
  fc.assert(
    fc.property(lines, (texts) => {
      const candidates = captured(known, {}, ...texts.map((text) => `user: ${text}`));
      const changing = candidates.filter(({ state, decision }) => state === "active" && decision !== "NOOP");
      expect(changing.filter(({ scope, target }) => scope === project || target?.startsWith("m") === true)).toEqual([]);
    }),
    { numRuns: propertyRuns(50) },
  );
});
