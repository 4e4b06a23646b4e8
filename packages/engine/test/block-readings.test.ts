import { type Ref, tenantId } from "@loci/domain";
import { expect, test } from "vitest";
import { BlockReadings } from "../src/blocks/block-readings.ts";

const tenant = tenantId("acme");
const ref = "018f0000-0000-7000-8000-000000000001" as Ref;
const other = "018f0000-0000-7000-8000-000000000002" as Ref;
const at = (version: number, owner = "user:ann", of = ref) => ({ tenant, owner, ref: of, version });
const saying = (text: string) => new Map([["human", { label: "human", version: 1, owner: "user:ann", text }]]);

test("what was read is known as long as the owner is what it was", () => {
  const readings = new BlockReadings();
  readings.keep(at(1), saying("one"));
  expect(readings.of(at(1)).get("human")?.text).toBe("one");
  expect(readings.of({ ...at(1), tenant: tenantId("globex") }).size).toBe(0);
  expect(readings.of(at(2)).size).toBe(0);
  readings.keep(at(2), saying("two"));
  // Somebody who has read the owner before it was changed finds nothing, and keeps nothing.
  expect(readings.of(at(1)).size).toBe(0);
  readings.keep(at(1), saying("one"));
  expect(readings.of(at(2)).get("human")?.text).toBe("two");
});

test("an owner that was erased is forgotten, and is another one afterwards", () => {
  const readings = new BlockReadings();
  readings.keep(at(3), saying("secret"));
  expect(readings.of(at(3, "user:ann", other)).size).toBe(0);
  readings.keep(at(3), saying("secret"));
  readings.forget(tenant, "user:ann");
  expect(readings.of(at(3)).size).toBe(0);
});

test("the longest unused go first", () => {
  const readings = new BlockReadings({ maxLength: 1_000 });
  readings.keep(at(1, "user:a"), saying("x".repeat(100)));
  readings.keep(at(1, "user:b"), saying("x".repeat(100)));
  readings.of(at(1, "user:a"));
  readings.keep(at(1, "user:c"), saying("x".repeat(100)));
  expect(["a", "b", "c"].map((name) => readings.of(at(1, `user:${name}`)).size)).toEqual([1, 0, 1]);
});
