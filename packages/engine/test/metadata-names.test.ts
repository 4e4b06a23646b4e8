import { maxMetadataNames } from "@loci/domain";
import { expect, test } from "vitest";
import { checkMetadata } from "../src/validation/validate-metadata.ts";

test("more names than fit into metadata are refused before any value is looked at", () => {
  const names = Array.from({ length: maxMetadataNames + 1 }, (_, index) => `n${index}`);
  const get = (): never => {
    throw new Error("was looked at");
  };
  const unread = Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { get, enumerable: true }])),
  );
  expect(() => checkMetadata(unread, "metadata")).toThrow(expect.objectContaining({ reason: "METADATA_TOO_LARGE" }));
});
