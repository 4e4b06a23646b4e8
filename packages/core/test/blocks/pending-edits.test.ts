import { createHash } from "node:crypto";
import { type ArchivedEntry, type BlockEdit, type BlockOperation, blockEditLifetime, LociError } from "@loci/domain";
import { expect, test } from "vitest";
import {
  applyBlockOperations,
  approveEdit,
  closeEdit,
  type EditedBlock,
  expireEdits,
  previewEdit,
  proposeEdit,
  writeDirectly,
} from "../../src/index.ts";
import golden from "../golden/pending-edits.json" with { type: "json" };
import { goldenSchema, goldenValues } from "./golden-schema.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
type GoldenEvent = {
  readonly do: string;
  readonly edit?: string;
  readonly baseVersion?: number;
  readonly contentHash?: string;
  readonly hunks?: readonly number[];
  readonly ops?: readonly BlockOperation[];
};

/** A block and its edits, changed event by event. */
class EventRun {
  block: EditedBlock;
  edits: readonly BlockEdit[] = [];
  readonly archived: ArchivedEntry[] = [];

  constructor(block: EditedBlock) {
    this.block = block;
  }

  outcome(event: GoldenEvent): unknown {
    try {
      return this.#carryOut(event);
    } catch (error) {
      if (!LociError.is(error)) throw error;
      const hunk = error.details["hunk"];
      return { error: error.reason, ...(hunk === undefined ? {} : { hunk: Number(hunk) }) };
    }
  }

  #carryOut({ do: kind, edit: id = "", baseVersion = 0, contentHash = "", hunks, ops = [] }: GoldenEvent): unknown {
    if (kind === "propose") {
      const edit = proposeEdit(this.block, { id, baseVersion, operations: ops, proposer: "agent:a" }, 0);
      this.edits = [...this.edits, edit];
      return { state: edit.state, stale: edit.stale };
    }
    if (kind === "reject") {
      const edit = closeEdit(this.edits, id, { state: "rejected", decider: "user:u", now: 1 });
      this.edits = this.edits.map((other) => (other.id === id ? edit : other));
      return { state: edit.state };
    }
    if (kind === "commit") {
      const applied = applyBlockOperations(this.block.schema, this.block.values, { operations: ops });
      const written = writeDirectly(this.block, this.edits, { applied, operations: ops });
      return this.#take(written, applied.archived);
    }
    const approved = approveEdit(
      { block: this.block, edits: this.edits, id },
      { baseVersion, contentHash, hunks, decider: "user:u" },
      { sha256, now: 1 },
    );
    return { state: "approved", ...this.#take(approved, approved.archived) };
  }

  #take(
    written: { readonly block: EditedBlock; readonly changed: boolean; readonly edits: readonly BlockEdit[] },
    archived: readonly ArchivedEntry[],
  ): { readonly version: number; readonly changed: boolean } {
    this.block = written.block;
    this.edits = written.edits;
    this.archived.push(...archived);
    return { version: written.block.version, changed: written.changed };
  }
}

test("the golden file is whole", () => expect(golden.cases).toHaveLength(40));

test.each(golden.cases)("$name", ({ in: given, out }) => {
  const schema = goldenSchema(given.label, given.schema);
  const run = new EventRun({ schema, values: goldenValues(given.values), version: 1, changes: [] });
  expect((given.events as readonly GoldenEvent[]).map((event) => run.outcome(event))).toEqual(out.results);
  const edits = Object.fromEntries(run.edits.map(({ id, state, stale }) => [id, { state, stale }]));
  expect({ version: run.block.version, values: run.block.values, archived: run.archived, edits }).toEqual({
    version: out.version,
    values: out.values,
    archived: out.archived,
    edits: out.edits,
  });
});

const notes: EditedBlock = {
  schema: {
    name: "notes",
    fields: [
      { name: "text", type: "text" },
      { name: "tags", type: "list", max: 2 },
    ],
  },
  values: { text: "a b" },
  version: 1,
  changes: [],
};
const propose = (operations: readonly BlockOperation[]): BlockEdit =>
  proposeEdit(notes, { id: "e", baseVersion: 1, operations, proposer: "agent:a" }, 1000);

test("what was looked at is what is approved", () => {
  const edit = propose([
    { op: "append", field: "text", value: "c" },
    { op: "append", field: "tags", value: "x" },
  ]);
  const { baseVersion, contentHash, diff } = previewEdit(notes, edit, { sha256, hunks: [0] });
  expect(diff).toEqual([{ field: "text", before: "a b", after: "a b\nc" }]);
  const decider = "user:u";
  const approved = approveEdit(
    { block: notes, edits: [edit], id: "e" },
    { baseVersion, contentHash, hunks: [0], decider },
    { sha256, now: 2000 },
  );
  expect(approved.block).toMatchObject({ version: 2, values: { text: "a b\nc" } });
  expect(approved.edits).toMatchObject([{ state: "approved", approvedHunks: [0], decider, decidedAt: 2000 }]);
});

test("an edit expires after 14 days, not before", () => {
  const edit = propose([{ op: "set", field: "text", value: "" }]);
  expect(expireEdits([edit], 1000 + blockEditLifetime - 1)).toEqual([edit]);
  expect(expireEdits([edit], 1000 + blockEditLifetime)).toMatchObject([{ state: "expired" }]);
});

test.each<[readonly unknown[], string]>([
  [[], "INVALID_REQUEST"],
  [[{ op: "toString", field: "text", value: "" }], "INVALID_BLOCK"],
  [[{ op: "set", field: "constructor", value: "" }], "INVALID_BLOCK"],
  [[{ op: "remove", field: "text", value: "a" }], "INVALID_BLOCK"],
  [[{ op: "append", field: "tags", value: " " }], "INVALID_BLOCK"],
  [[{ op: "append", field: "tags", value: "a", old: "b" }], "INVALID_BLOCK"],
])("refuses to propose %j", (operations, reason) => {
  expect(() => propose(operations as never)).toThrow(expect.objectContaining({ reason }));
});
