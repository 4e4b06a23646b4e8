import assert from "node:assert/strict";
import type { Loci, RecordActionRequest, TurnState } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const key = { scope: "user:alice", id: "s-1" } as const;

const state: TurnState = {
  sessionId: "s-1",
  createdAt: 1_000,
  turnNumber: 3,
  taskDescription: "Rename the table",
  currentSubtask: "Write the migration",
  progress: "in_progress",
  actions: [{ type: "edit", time: 5, result: "done", file: "a.sql" }],
  filesRead: ["a.sql"],
  filesWritten: ["b.sql"],
  verifiedFacts: [{ key: "engine", value: { name: "postgres", versions: [15, 16] } }],
  hypotheses: ["It is slow"],
  rejectedHypotheses: [],
  decisions: [{ decision: "No triggers", turn: 2 }],
  activeConstraints: ["No downtime"],
  ownField: { kept: [1, null, "é"] },
};

async function begun(loci: Loci): Promise<Loci["sessions"]["turnState"]> {
  await loci.sessions.create({ ...key, createdAt: 1_000 });
  return loci.sessions.turnState;
}

/** What every Loci does with turn states. */
export const turnStateCases: BehaviourFile = {
  covers: [
    "sessions.turnState.load",
    "sessions.turnState.save",
    "sessions.turnState.merge",
    "sessions.turnState.recordDecision",
    "sessions.turnState.recordAction",
    "sessions.turnState.markBlocked",
    "sessions.turnState.isTerminal",
    "sessions.turnState.summaryForContext",
  ],
  cases: [
    {
      name: "a turn state that nobody saved is that of an agent that begins",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        const { state: loaded, ...rest } = await turnState.load(key);
        assert.deepEqual(rest, { isTerminal: false });
        assert.deepEqual(
          [loaded.sessionId, loaded.createdAt, loaded.turnNumber, loaded.progress],
          ["s-1", 1_000, 0, "in_progress"],
        );
      },
    },
    {
      name: "a turn state comes back as it was saved, with the fields nobody knows",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        const saved = await turnState.save(key, state);
        assert.deepEqual(saved.state, state);
        assert.deepEqual(await turnState.load(key), saved);
        const done = await turnState.save(key, { ...state, progress: "completed" }, { etag: saved.etag ?? "" });
        assert.notEqual(done.etag, saved.etag);
        assert.equal(done.isTerminal, true);
        assert.equal(await turnState.isTerminal(key), true);
        await refuses(turnState.save(key, state, { etag: saved.etag ?? "" }), "VERSION_CONFLICT");
        await refuses(turnState.save(key, state, { etag: "x" }), "INVALID_REQUEST", "precondition.etag");
        await refuses(turnState.save(key, { ...state, sessionId: "s-2" }), "SESSION_MISMATCH");
        await refuses(turnState.save(key, { ...state, notes: "x".repeat(262_144) }), "TEXT_TOO_LARGE");
        const wrong = { ...state, filesRead: "a.sql" } as unknown as TurnState;
        await refuses(turnState.save(key, wrong), "INVALID_REQUEST", "filesRead");
        assert.deepEqual((await turnState.load(key)).etag, done.etag);
      },
    },
    {
      name: "what an agent brings is joined with what was kept, and disagreements are named",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        await turnState.save(key, state);
        const { turnNumber: _, ...rest } = state;
        const fresh = { ...rest, baseTurn: 3, turns: 2, currentSubtask: "Test it", filesRead: ["c.sql"], actions: [] };
        const merged = (await turnState.merge(key, fresh)).state;
        assert.deepEqual(merged.filesRead, ["a.sql", "c.sql"]);
        assert.deepEqual(merged.conflicts, ["currentSubtask"]);
        assert.equal(merged.turnNumber, 5);
        assert.deepEqual(merged["ownField"], state["ownField"]);
        assert.deepEqual((await turnState.load(key)).state, merged);
        await refuses(turnState.merge(key, { ...fresh, sessionId: "s-2" }), "SESSION_MISMATCH");
      },
    },
    {
      name: "decisions, actions and a block are recorded, also by several at once",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        const decided = { decision: "No triggers", rationale: "They are slow", alternatives: ["Views"] };
        await turnState.recordDecision(key, decided);
        await turnState.recordAction(key, { type: "test", result: "x".repeat(600), details: { passed: 3 } });
        const blocked = await turnState.markBlocked(key, "No password");
        assert.equal(blocked.state.progress, "blocked");
        assert.equal(blocked.isTerminal, false);
        assert.deepEqual(
          blocked.state.decisions.map(({ decision, rationale, alternatives }) => ({
            decision,
            rationale,
            alternatives,
          })),
          [decided],
        );
        assert.deepEqual(
          blocked.state.actions.map(({ type, result }) => [type, result]),
          [
            ["test", "x".repeat(500)],
            ["block", "No password"],
          ],
        );
        const types = ["a", "b", "c", "d", "e"];
        await Promise.all(types.map((type) => turnState.recordAction(key, { type, result: "" })));
        const { actions } = (await turnState.load(key)).state;
        assert.deepEqual(
          actions
            .slice(2)
            .map(({ type }) => type)
            .toSorted(),
          types,
        );
        const once = { requestId: "r" };
        await turnState.recordAction(key, { type: "once", result: "" }, once);
        await turnState.recordAction(key, { type: "once", result: "" }, once);
        const after = (await turnState.load(key)).state.actions;
        assert.equal(after.filter(({ type }) => type === "once").length, 1);
      },
    },
    {
      name: "the details of an action are an object, and anything else is refused and changes nothing",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        for (const details of [[1], null, "passed", 3, true]) {
          const done = { type: "test", result: "", details } as unknown as RecordActionRequest;
          const refusal = await refuses(turnState.recordAction(key, done), "INVALID_REQUEST", "action.details");
          assert.match(refusal.message, /must be an object/);
        }
        assert.deepEqual(await turnState.load(key).then(({ state: kept }) => kept.actions), []);
        const details = { passed: [1, null], by: {} };
        const [action] = (await turnState.recordAction(key, { type: "test", result: "", details })).state.actions;
        assert.deepEqual(action?.["details"], details);
      },
    },
    {
      name: "a model is told of a turn state in a few lines",
      run: async ({ loci }) => {
        const turnState = await begun(loci);
        await turnState.save(key, state);
        assert.equal(
          await turnState.summaryForContext(key),
          [
            "Session: s-1",
            "Turn: 3",
            "Status: in_progress",
            "Task: Rename the table",
            "Current subtask: Write the migration",
            "Decision: No triggers",
            "Files modified: b.sql",
          ].join("\n"),
        );
      },
    },
  ],
};
