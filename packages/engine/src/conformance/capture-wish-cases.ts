import assert from "node:assert/strict";
import type { CapturedCategory, CapturedTurns, Loci, SessionInput } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";
import { at, key, memoriesOf, scope, turnsOf } from "./spoken-sessions.ts";

const wishes = { captureInstructions: "Keep allergies. Never keep prices.", captureExcept: ["fact"] } as const;

function told(loci: Loci, id: string, line: string, more: Partial<SessionInput> = {}): Promise<CapturedTurns> {
  const turns = turnsOf(`user: ${line}`).map((turn, index) => ({ ...turn, at: at + id.length * 60_000 + index }));
  return loci.sessions.appendAndCapture({ scope, id, ...more }, { turns, extractor: "rules" });
}

/** What becomes of each statement. */
function decisionsIn({ captures }: CapturedTurns): readonly unknown[] {
  return captures.flatMap(({ outcome }) =>
    (outcome?.candidates ?? []).map(({ category, decision, state, reason }) => [category, decision, state, reason]),
  );
}

/** What every Loci does with what a session's builder wants of its captures. */
export const captureWishCases: BehaviourFile = {
  covers: ["sessions.create", "sessions.appendAndCapture"],
  cases: [
    {
      name: "a session keeps what is wanted of its captures, each category once",
      run: async ({ loci }) => {
        const captureExcept = ["procedure", "fact", "procedure"] as const;
        const made = await loci.sessions.create({ ...key, ...wishes, captureExcept });
        assert.deepEqual(made.captureExcept, ["fact", "procedure"]);
        assert.equal(made.captureInstructions, wishes.captureInstructions);
        assert.deepEqual(await loci.sessions.get(key), made);
        const plain = await loci.sessions.create({ scope, id: "plain" });
        assert.ok(!("captureExcept" in plain) && !("captureInstructions" in plain));
      },
    },
    {
      name: "categories that are left out become no memories, and the report says why",
      run: async ({ loci }) => {
        const said = await told(loci, "s-1", "I play the cello. I prefer tea over coffee.", wishes);
        assert.deepEqual(decisionsIn(said), [
          ["fact", null, "rejected", "CATEGORY_LEFT_OUT"],
          ["preference", "ADD", "active", null],
        ]);
        const memories = await memoriesOf(loci);
        assert.deepEqual(
          memories.map(({ category }) => category),
          ["preference"],
        );
        assert.deepEqual(
          said.learned.map(({ memory }) => memory?.id),
          memories.map(({ id }) => id),
        );
      },
    },
    {
      name: "what is over by a statement that is left out ends all the same, and what is to be forgotten is",
      run: async ({ loci }) => {
        await told(loci, "s-1", "I live in Oslo. I play the cello.");
        const moved = await told(loci, "s-22", "I moved to Bergen.", { captureExcept: ["decision"] });
        assert.deepEqual(decisionsIn(moved), [["decision", "DELETE", "active", "CATEGORY_LEFT_OUT"]]);
        assert.deepEqual(
          moved.learned.map(({ memory, closed }) => [memory, closed?.text]),
          [[undefined, "The user lives in Oslo."]],
        );
        const forgotten = await told(loci, "s-333", "Please forget that I play the cello.", wishes);
        assert.equal(forgotten.learned[0]?.closed?.text, "The user plays the cello.");
        // Telling the same again adds nothing either.
        await told(loci, "s-4444", "I work as a nurse.");
        const again = await told(loci, "s-55555", "I work as a nurse.", wishes);
        assert.deepEqual(decisionsIn(again), [["fact", null, "rejected", "CATEGORY_LEFT_OUT"]]);
        // What was ended is open again when that is undone.
        await loci.captures.undo(moved.captures[0]?.id ?? "");
        const lived = (await memoriesOf(loci)).find(({ text }) => text === "The user lives in Oslo.");
        assert.ok(lived !== undefined && lived.validTo === undefined);
      },
    },
    {
      name: "wishes that are none are refused, and secrets in them are taken out",
      run: async ({ loci }) => {
        const begin = (more: Partial<SessionInput>): Promise<unknown> => loci.sessions.create({ ...key, ...more });
        await refuses(begin({ captureExcept: ["hobby" as CapturedCategory] }), "INVALID_REQUEST", "captureExcept[0]");
        await refuses(begin({ captureExcept: "fact" as never }), "INVALID_REQUEST", "captureExcept");
        for (const captureInstructions of ["", "  ", "a".repeat(2_001), "\ud800"])
          await refuses(begin({ captureInstructions }), "INVALID_TEXT", "captureInstructions");
        const card = "Never keep cards such as 4539 5787 6362 1486.";
        const { captureInstructions } = await loci.sessions.create({ ...key, captureInstructions: card });
        assert.equal(captureInstructions, "Never keep cards such as [redacted: card].");
      },
    },
  ],
};
