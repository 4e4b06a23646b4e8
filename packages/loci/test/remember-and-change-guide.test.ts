// What `docs/guides/remember-and-change.md` shows, run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { expect, test, vi } from "vitest";
import {
  deleteUser,
  forgetAndBringBack,
  moveHouse,
  rememberSome,
  setTheme,
  storeChat,
  undo,
  useAndSay,
  whatHolds,
  whereMemoriesAre,
} from "../../../docs/examples/remember-and-change.ts";

test("memories are stored, changed, brought back, and erased with a receipt", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-remember-guide-"));
  await using loci = await openLoci({ tenant: "acme", dataDirectory: directory });
  const [home, style] = await rememberSome(loci);
  if (home === undefined || style === undefined) throw new Error("Three memories were stored.");
  // What is said again is the same memory.
  expect((await rememberSome(loci)).map(({ id }) => id)).toContain(home.id);

  const at = Date.now();
  const chat = await storeChat(loci, at);
  expect(chat.map(({ text }) => text)).toEqual(["Ann: My dog is called Bosse.", "Agent: Noted: Bosse."]);
  expect((await storeChat(loci, at)).map(({ id }) => id)).toEqual(chat.map(({ id }) => id));

  expect([...(await whereMemoriesAre(loci))]).toEqual([["user:ann", 5]]);

  // Another one writes between the reading and the writing of the first attempt.
  const get = vi.spyOn(loci.memories, "get");
  get.mockImplementationOnce(async (which) => {
    const id = which as typeof home.id;
    const read = (await loci.memories.versions(id)).at(-1);
    if (read === undefined) throw new Error("It is there.");
    await loci.memories.update(id, { importance: 0.9 }, { etag: read.etag });
    return read;
  });
  const moved = await moveHouse(loci, home.id);
  expect(get).toHaveBeenCalledTimes(2);
  get.mockRestore();
  expect(moved).toMatchObject({ text: "Ann lives in Bergen.", tags: ["moved"], slot: "home", importance: 0.9 });

  const undone = await undo(loci, home.id);
  expect(undone).toMatchObject({ text: "Ann lives in Oslo.", version: moved.version + 1 });
  expect((await loci.memories.versions(home.id)).map(({ text }) => text).slice(-2)).toEqual([
    "Ann lives in Bergen.",
    "Ann lives in Oslo.",
  ]);

  const [dark, light] = [await setTheme(loci, "dark"), await setTheme(loci, "light")];
  expect([light.id, light.version, light.text]).toEqual([dark.id, 2, "Ann's theme is light."]);

  // What does not hold any more is listed, and told by its time.
  const [was, is] = await loci.memories.rememberMany([
    { text: "Cleo lives in Bodø.", scope: "user:cleo", validTo: at - 1 },
    { text: "Cleo lives in Oslo.", scope: "user:cleo" },
  ]);
  const { memories: listed } = await loci.memories.list({ scopes: ["user:cleo"] });
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([was?.id, is?.id]));
  expect((await whatHolds(loci, "user:cleo")).map(({ id }) => id)).toEqual([is?.id]);

  expect(await useAndSay(loci, "What is the dog called?")).toContain("Ann: My dog is called Bosse.");
  const current = await loci.memories.get(style.id);
  const back = await forgetAndBringBack(loci, current);
  expect(back).toMatchObject({ id: style.id, text: style.text, state: "active" });

  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const receipt = await deleteUser(loci, "ann");
  expect(print.mock.calls[0]).toEqual(["6 memories and 0 sessions would go."]);
  print.mockRestore();
  expect(receipt.counts).toMatchObject({ found: 6, erased: 6 });
  expect((await loci.memories.list({ scopes: ["user:ann"] })).memories).toEqual([]);
  expect([...(await whereMemoriesAre(loci)).keys()]).toEqual(["user:cleo"]);
  await expect(undo(loci, home.id)).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  expect(await storeChat(loci, at)).toEqual([]);
  await loci.close();
  rmSync(directory, { recursive: true });
});

test("the guide shows what is run here", () => {
  const root = join(import.meta.dirname, "../../..");
  const guide = readFileSync(join(root, "docs/guides/remember-and-change.md"), "utf8");
  const example = readFileSync(join(root, "docs/examples/remember-and-change.ts"), "utf8");
  const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks).toHaveLength(10);
  for (const code of blocks) expect(example).toContain(code);
});
