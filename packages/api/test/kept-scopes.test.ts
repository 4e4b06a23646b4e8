import type { MaintenanceJob, Memory } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maintenanceJobFromProto, maintenanceJobToProto, memoryFromProto, memoryToProto } from "../src/index.ts";
import { memory } from "./arbitraries/memories.ts";

/** Former versions took both. */
const kept = ["*", "ali\u200bce"];

test.each(kept)("a memory of a user that could be called %j is told", (id) => {
  const [any] = fc.sample(memory, 1) as [Memory];
  const stored = { ...any, scope: { kind: "user", id } as const };
  expect(memoryFromProto(memoryToProto(stored)).scope).toEqual(stored.scope);
});

test.each(kept)("what belongs to a user that could be called %j can be erased", (id) => {
  const job: MaintenanceJob = { type: "erase", scope: { kind: "user", id } };
  expect(maintenanceJobFromProto(maintenanceJobToProto(job))).toEqual(job);
});
