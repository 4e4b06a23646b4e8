import { afterEach, expect, test, vi } from "vitest";
import { sameDataOptions } from "../src/config/same-data-options.ts";

afterEach(() => vi.unstubAllEnvs());

test("commands of a terminal need no options for the usual directory, and name any other place", () => {
  vi.stubEnv("XDG_DATA_HOME", "/home/ann/data");
  vi.stubEnv("LOCI_DATA_DIR", undefined);
  expect(sameDataOptions({})).toBeUndefined();
  expect(sameDataOptions({ data: "/home/ann/data/loci" })).toBeUndefined();
  expect(sameDataOptions({ data: "/srv/loci" })).toBe("--data /srv/loci");
  expect(sameDataOptions({ data: "/srv/our loci" })).toBe('--data "/srv/our loci"');
  expect(sameDataOptions({ connect: "memory.example:5624" })).toBe("--connect memory.example:5624");
  vi.stubEnv("LOCI_DATA_DIR", "/srv/loci");
  expect(sameDataOptions({})).toBe("--data /srv/loci");
});
