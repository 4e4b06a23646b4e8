import { deepEqual, equal } from "node:assert/strict";
import type { Ref, Scope, TenantId } from "@loci/domain";
import type { Checkpoint, CheckpointOwner, ResourceRemoved, ResourceWritten } from "../index.ts";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { refNumber } from "./samples.ts";

const family = "notes";
const alice: Scope = { kind: "user", id: "alice" };

function note(number: number, version = 1): ResourceWritten {
  return {
    type: "resourceWritten",
    family,
    kind: "noteWritten",
    ref: refNumber(number),
    version,
    scope: alice,
    state: { version },
  };
}

function noteRemoved(number: number, version: number): ResourceRemoved {
  return { type: "resourceRemoved", family, kind: "noteRemoved", ref: refNumber(number), version };
}

function owner(number: number, reading = "words"): CheckpointOwner {
  return { ref: refNumber(number), reading };
}

function checkpoint(through: number, state = `{"through":${through}}`): Checkpoint {
  return { through, outline: `of ${through} \u{1f600}`, state };
}

function outlinesOf(checkpoints: readonly Checkpoint[]): readonly Omit<Checkpoint, "state">[] {
  return checkpoints.map(({ through, outline }) => ({ through, outline }));
}

/** What was read of long resources. */
export const checkpointCases: LedgerCaseFile = {
  covers: ["checkpoints.add", "checkpoints.outlines", "checkpoints.state"],
  cases: [
    {
      method: "checkpoints.outlines",
      name: "gives those of one way of reading one resource, by how far they reach",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([note(1), note(2)]);
        await ledger.checkpoints.add(tenant, owner(1), [checkpoint(128), checkpoint(64), checkpoint(1_000)]);
        await ledger.checkpoints.add(tenant, owner(1, "letters"), [checkpoint(32)]);
        await ledger.checkpoints.add(tenant, owner(2), [checkpoint(16)]);
        deepEqual(
          await ledger.checkpoints.outlines(tenant, owner(1)),
          outlinesOf([checkpoint(64), checkpoint(128), checkpoint(1_000)]),
        );
        deepEqual(await ledger.checkpoints.outlines(tenant, owner(1, "word")), []);
        deepEqual(await ledger.checkpoints.outlines(`${tenant}'` as TenantId, owner(1)), []);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.checkpoints.outlines(tenant, owner(1), gone), "CANCELLED");
      },
    },
    {
      method: "checkpoints.state",
      name: "gives the state of one, and none where there is none",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([note(1)]);
        const long = checkpoint(64, "\u{1f600}'\n".repeat(20_000));
        await ledger.checkpoints.add(tenant, owner(1), [long, checkpoint(128)]);
        equal(await ledger.checkpoints.state(tenant, owner(1), 64), long.state);
        equal(await ledger.checkpoints.state(tenant, owner(1), 65), undefined);
        equal(await ledger.checkpoints.state(tenant, owner(1, "letters"), 64), undefined);
        equal(await ledger.checkpoints.state(`${tenant}'` as TenantId, owner(1), 64), undefined);
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => ledger.checkpoints.state(tenant, owner(1), 64, gone), "CANCELLED");
      },
    },
    {
      method: "checkpoints.add",
      name: "keeps what is there, and lets go of other ways of reading when it is told to",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([note(1), note(2)]);
        const head = await ledger.head(tenant);
        await ledger.checkpoints.add(tenant, owner(1), []);
        await Promise.all(
          ["first", "second"].map((state) => ledger.checkpoints.add(tenant, owner(1), [checkpoint(64, state)])),
        );
        const kept = await ledger.checkpoints.state(tenant, owner(1), 64);
        await ledger.checkpoints.add(tenant, owner(1), [checkpoint(64, "third"), checkpoint(128)]);
        equal(await ledger.checkpoints.state(tenant, owner(1), 64), kept);
        await ledger.checkpoints.add(tenant, owner(2), [checkpoint(64)]);
        await ledger.checkpoints.add(tenant, owner(1, "letters"), [checkpoint(32)], { replaces: true });
        deepEqual(await ledger.checkpoints.outlines(tenant, owner(1)), []);
        deepEqual(await ledger.checkpoints.outlines(tenant, owner(1, "letters")), outlinesOf([checkpoint(32)]));
        deepEqual(await ledger.checkpoints.outlines(tenant, owner(2)), outlinesOf([checkpoint(64)]));
        equal(await ledger.head(tenant), head);
        // None at all are left of the others, either.
        await ledger.checkpoints.add(tenant, owner(1, "syllables"), [], { replaces: true });
        deepEqual(await ledger.checkpoints.outlines(tenant, owner(1, "letters")), []);
      },
    },
    {
      method: "checkpoints.add",
      name: "keeps nothing of a resource that is not there, was removed or was purged",
      run: async (context) => {
        const { ledger, tenant } = context;
        const add = (number: number): Promise<void> =>
          ledger.checkpoints.add(tenant, owner(number), [checkpoint(64)], { replaces: true });
        const kept = async (): Promise<readonly number[]> => {
          const found = [1, 2, 3, 4].map((number) => ledger.checkpoints.outlines(tenant, owner(number)));
          return (await Promise.all(found)).map(({ length }) => length);
        };
        await context.commit([note(1), note(2), note(3)]);
        for (const number of [1, 2, 3, 4]) await add(number);
        deepEqual(await kept(), [1, 1, 1, 0]);
        // Another version changes nothing.
        await context.commit([note(1, 2), noteRemoved(2, 2)]);
        deepEqual(await kept(), [1, 0, 1, 0]);
        await ledger.purge(tenant, { refs: [refNumber(3)] });
        deepEqual(await kept(), [1, 0, 0, 0]);
        for (const number of [2, 3, 4]) await add(number);
        deepEqual(await kept(), [1, 0, 0, 0]);
        await ledger.purge(tenant, { everything: true });
        await add(1);
        deepEqual(await kept(), [0, 0, 0, 0]);
      },
    },
    {
      method: "checkpoints.add",
      name: "leaves nothing behind, whoever comes first: those who add, or who removes",
      run: async (context) => {
        const { ledger, tenant } = context;
        const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
        await context.commit(numbers.map((number) => note(number)));
        const refs: readonly Ref[] = numbers.map(refNumber);
        await Promise.all([
          ...numbers.flatMap((number) =>
            [64, 128].map((through) => ledger.checkpoints.add(tenant, owner(number), [checkpoint(through)])),
          ),
          ledger.purge(tenant, { refs: refs.slice(0, 6) }),
          context.commit(numbers.slice(6).map((number) => noteRemoved(number, 2))),
          ...numbers.map((number) => ledger.checkpoints.add(tenant, owner(number), [checkpoint(32)])),
        ]);
        for (const number of numbers) deepEqual(await ledger.checkpoints.outlines(tenant, owner(number)), []);
      },
    },
  ],
};
