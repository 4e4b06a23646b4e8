import assert from "node:assert/strict";
import { type BlockEditState, type BlockOperation, type BlockValues, type Loci, LociError } from "@loci/domain";
import { decider, human, humanBlock } from "./block-cases.ts";
import type { BehaviourFile } from "./behaviour-case.ts";

/** An edit as it is foretold. */
interface ForetoldEdit {
  readonly id: string;
  readonly operation: BlockOperation;
  state: BlockEditState;
  stale: boolean;
  base: number;
}

const histories = 6;
const steps = 16;
const names = ["Ann", "Bea", "Cleo"];
const drinks = ["tea", "milk", "water"];

/** Whole numbers below a bound, the same for the same seed. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function anyOperation(next: (bound: number) => number): BlockOperation {
  const drink = drinks[next(drinks.length)] ?? "";
  if (next(3) === 0) return { op: "set", field: "name", value: names[next(names.length)] ?? "" };
  return { op: next(3) === 0 ? "remove" : "append", field: "preferences", value: drink };
}

/** On one field, when one of them sets it or both are about the same entry. */
function collide(left: BlockOperation, right: BlockOperation): boolean {
  if (left.field !== right.field) return false;
  return left.op === "set" || right.op === "set" || ("value" in left && "value" in right && left.value === right.value);
}

/** What a plain model says of a block and its edits. */
class BlockModel {
  readonly edits: ForetoldEdit[] = [];
  /** What each version said. */
  readonly versions: BlockValues[];

  constructor(values: BlockValues) {
    this.versions = [values];
  }

  get values(): BlockValues {
    return this.versions.at(-1) ?? {};
  }

  /** A write that was not proposed: it only makes stale. */
  written(operations: readonly BlockOperation[], values: BlockValues, version: number): void {
    if (version === this.versions.length) return;
    this.versions.push(values);
    for (const edit of this.#pending()) this.#moveOn(edit, operations);
  }

  approved(edit: ForetoldEdit, values: BlockValues, version: number): void {
    Object.assign(edit, { state: "approved", stale: false });
    if (version === this.versions.length) return;
    this.versions.push(values);
    const place = this.edits.indexOf(edit);
    for (const other of this.#pending()) {
      if (this.edits.indexOf(other) < place && collide(other.operation, edit.operation))
        Object.assign(other, { state: "superseded", stale: false });
      else this.#moveOn(other, [edit.operation]);
    }
  }

  #pending(): readonly ForetoldEdit[] {
    return this.edits.filter(({ state }) => state === "pending");
  }

  #moveOn(edit: ForetoldEdit, operations: readonly BlockOperation[]): void {
    if (operations.some((operation) => collide(edit.operation, operation))) edit.stale = true;
    else if (!edit.stale) edit.base = this.versions.length;
  }
}

/** Only an entry that is there can be removed. */
function applies(operation: BlockOperation, { preferences = [] }: BlockValues): boolean {
  return operation.op !== "remove" || (Array.isArray(preferences) && preferences.includes(operation.value));
}

/** The answer of a call that is foretold to be refused, or not. */
async function foretold<Answer>(call: Promise<Answer>, isApplied: boolean): Promise<Answer | undefined> {
  const answer = await call.catch((error: unknown) => {
    if (LociError.is(error) && error.reason === "EDIT_CONFLICT") return undefined;
    throw error;
  });
  assert.equal(answer !== undefined, isApplied);
  return answer;
}

async function oneStep(
  { agent, person, model }: { readonly agent: Loci; readonly person: Loci; readonly model: BlockModel },
  next: (bound: number) => number,
): Promise<void> {
  const choice = next(10);
  const edit = model.edits[next(Math.max(1, model.edits.length))];
  if (choice < 4 || edit === undefined) {
    const operation = anyOperation(next);
    const call = agent.blocks.propose({ ...human, operations: [operation] });
    const proposed = await foretold(call, applies(operation, model.values));
    if (proposed === undefined) return;
    assert.equal(proposed.baseVersion, model.versions.length);
    model.edits.push({ id: proposed.id, operation, state: "pending", stale: false, base: model.versions.length });
  } else if (choice < 6) {
    const operation = anyOperation(next);
    const { etag } = await person.blocks.get(human);
    const call = person.blocks.update(human, { operations: [operation] }, { etag });
    const answer = await foretold(call, applies(operation, model.values));
    if (answer !== undefined) model.written([operation], answer.block.values, answer.block.version);
  } else if (choice < 8) {
    const { preview } = await person.blocks.getEdit({ id: edit.id });
    assert.equal(preview !== undefined, edit.state === "pending" && applies(edit.operation, model.values));
    if (preview === undefined) return;
    const { baseVersion, contentHash } = preview;
    const { block } = await person.blocks.approve({ id: edit.id, baseVersion, contentHash });
    assert.deepEqual(block.values, preview.values);
    model.approved(edit, block.values, block.version);
  } else if (edit.state === "pending") {
    const decided = choice === 8 ? await person.blocks.reject(edit.id) : await agent.blocks.withdraw(edit.id);
    edit.state = decided.state;
    edit.stale = decided.stale;
  } else
    await assert.rejects(
      person.blocks.reject(edit.id),
      (error) => LociError.is(error) && error.reason === "EDIT_NOT_PENDING",
    );
}

/** Random histories of writes, proposals and decisions. */
export const blockModelCases: BehaviourFile = {
  covers: ["blocks.propose", "blocks.approve"],
  cases: [
    {
      name: `in ${histories} histories of ${steps} writes, proposals and decisions edits are what a plain model says`,
      run: async (context) => {
        for (let seed = 1; seed <= histories; seed++) {
          const agent = context.loci;
          const person = await decider(context);
          if (seed > 1) await person.blocks.delete(human);
          const before = seed > 1 ? (await person.blocks.history({ ...human, pageSize: 1 })).versions[0]?.version : 0;
          const { values, version } = await humanBlock(context, { name: "Ann" });
          const model = new BlockModel(values);
          // Versions go on behind a removal.
          while (model.versions.length < version) model.versions.unshift(values);
          assert.equal(version, (before ?? 0) + 1);
          const next = numbers(seed * 7919);
          for (let step = 0; step < steps; step++) {
            await oneStep({ agent, person, model }, next);
            for (const { id, state, stale, base } of model.edits) {
              const { edit } = await agent.blocks.getEdit({ id });
              const place = `history ${seed}, step ${step}`;
              assert.deepEqual({ state: edit.state, stale: edit.stale }, { state, stale }, place);
              if (state === "pending") assert.equal(edit.baseVersion, base, place);
            }
          }
          for (let number = version; number <= model.versions.length; number++)
            assert.deepEqual(
              (await agent.blocks.get({ ...human, version: number })).values,
              model.versions[number - 1],
            );
          // What was said once can be said again, and edits that collide with the difference are stale then.
          const { block } = await person.blocks.restore({ ...human, version });
          assert.deepEqual(block.values, values);
        }
      },
    },
  ],
};
