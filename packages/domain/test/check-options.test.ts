import { checkOptions, checkOptionValue, LociError } from "@loci/domain";
import { expect, test } from "vitest";

const known = new Set(["dataDirectory", "create", "index", "ledger", "tenant"]);

function refusal(check: () => void): LociError {
  try {
    check();
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test.each([
  ["dataDir", "dataDirectory"],
  ["data_directory", "dataDirectory"],
  ["datadirectory", "dataDirectory"],
  ["directory", "dataDirectory"],
  ["indexes", "index"],
  ["idnex", "index"],
  ["tenat", "tenant"],
])("the option %s is refused, and told to be %s", (given, meant) => {
  const error = refusal(() => checkOptions({ create: true, [given]: undefined }, known, "openLoci"));
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field: given });
  expect(error.message).toBe(`openLoci has no option "${given}". Did you mean ${meant}?`);
  expect(error.advice).toContain("dataDirectory, create");
});

test("an option that is like none is refused without a guess", () => {
  const error = refusal(() => checkOptions({ zzz: 1 }, known, "openLoci"));
  expect(error.message).toBe('openLoci has no option "zzz".');
  const long = refusal(() => checkOptions({ ["x".repeat(100_000)]: 1 }, known, "openLoci"));
  expect(long.message.length + (long.field?.length ?? 0)).toBeLessThan(200);
});

test.each([undefined, null, "dir", 7, []])("%j is no object with options", (options) => {
  expect(refusal(() => checkOptions(options, known, "openLoci")).message).toContain("takes an object with options");
});

test("known options pass, and nothing of theirs is read", () => {
  const options = Object.defineProperty({}, "create", {
    enumerable: true,
    get: () => {
      throw new Error("read");
    },
  });
  expect(() => checkOptions(options, known, "openLoci")).not.toThrow();
});

test("a value that is no choice is refused, and told to be the nearest", () => {
  expect(checkOptionValue("memory", ["memory", "lancedb"], "index")).toBe("memory");
  const error = refusal(() => checkOptionValue("lance", ["memory", "lancedb"], "index"));
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "index" });
  expect(error.message).toBe('index cannot be "lance". Did you mean lancedb?');
  expect(refusal(() => checkOptionValue(7, ["memory"], "index")).message).toBe("index cannot be 7.");
});
