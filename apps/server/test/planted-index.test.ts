import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/loci";
import type * as Server from "@loci/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type * as Configured from "../src/configuration/configured-index.ts";

const toy: IndexAdapter = {
  name: "toy",
  title: "Toy",
  place: "outside",
  ofEachServer: { vectors: false, text: false },
  notErased: [],
  secret: {
    option: "key",
    path: "toy.key",
    called: "the key",
    about: "the toy's key",
    of: "toy index",
    form: "a key",
  },
  settings: [
    { type: "text", option: "shelf", path: "toy.shelf", about: "Where it stands.", advice: "Name a shelf." },
    { type: "choice", option: "paint", path: "toy.paint", about: "How it looks.", choices: ["red", "blue"] },
    { type: "number", option: "wheels", path: "toy.wheels", about: "How it runs.", least: 2, most: 6 },
    { type: "text", option: "test", path: "toy.test", readBy: "commands", about: "For tests.", advice: "None." },
  ],
  open: async () => {
    throw new Error("is not opened");
  },
  remove: async () => {},
};

// Tests of the server share what they import: here it is imported anew, with one adapter more.
let server: typeof Server;
let configured: typeof Configured;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("@loci/loci", async (importOriginal) => {
    const own = await importOriginal<{ readonly indexAdapters: readonly IndexAdapter[] }>();
    return { ...own, indexAdapters: [...own.indexAdapters, toy] };
  });
  server = await import("@loci/server");
  configured = await import("../src/configuration/configured-index.ts");
});
afterAll(() => {
  vi.doUnmock("@loci/loci");
  vi.resetModules();
});

const directory = mkdtempSync(join(tmpdir(), "loci-planted-index-"));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(join(directory, "key"), "wind-up\n");

function said(toml: string, environment: NodeJS.ProcessEnv = {}): ReturnType<typeof server.loadSettings> {
  const file = join(directory, "loci.toml");
  writeFileSync(file, toml);
  return server.loadSettings({ file, environment });
}

test("settings that an adapter declares are read from the file and from variables, and printed", () => {
  const settings = said('[index]\nuse = "toy"\n[toy]\nkey_file = "key"\nshelf = "top"\nwheels = 4', {
    LOCI_TOY_PAINT: "blue",
  });
  expect(configured.configuredIndex(server.configurationOf(settings))).toEqual({
    index: { kind: "toy", key: "wind-up", shelf: "top", paint: "blue", wheels: 4 },
    indexes: [],
  });
  const printed = server.printSettings(settings);
  expect(printed).toContain("[toy]\nkey_file = ");
  expect(printed).toContain("wheels = 4");
  expect(printed).not.toContain("wind-up");
});

test("they are in the reference and in errors", () => {
  const page = server.settingsReference();
  expect(page).toContain("## `[toy]`");
  expect(page).toContain("| `key_file` | File with the toy's key. | text |  | `LOCI_TOY_KEY_FILE` |");
  expect(page).toContain('| `paint` | How it looks. | "red", "blue" |  | `LOCI_TOY_PAINT` |');
  expect(page).not.toContain("LOCI_TOY_TEST");
  expect(() => said("[toy]\nwheels = 7")).toThrow(/toy\.wheels must be a whole number, but is 7/);
  expect(() => said('[toy]\npaint = "green"')).toThrow(/toy\.paint is "green", which is not a choice/);
  expect(() => said("[toy]\ntest = 1")).toThrow(/toy\.test is not a setting/);
  expect(() => server.configurationOf(said('[index]\nuse = "toy"'))).toThrow(/toy\.key_variable is missing/);
});
