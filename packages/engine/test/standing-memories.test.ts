import { type AssembledContext, type AssembleRequest, type MemoryId, type RememberInput, tenantId } from "@loci/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const user = "user:ann" as const;
const project = "project:orchard" as const;
const scopes = [user, project, "global"] as const;

function contentOf({ sections }: AssembledContext, section: string): string {
  return sections.find(({ name }) => name === section)?.content ?? "";
}

function prefixOf({ text, cache }: AssembledContext): string {
  return text.slice(0, cache.stablePrefixLength);
}

describe("standing memories", () => {
  let opened: TestEngine;
  const remember = async (input: Partial<RememberInput> & { text: string }): Promise<MemoryId> =>
    (await opened.loci.memories.remember({ scope: project, ...input })).id;
  const assemble = (query: string, fields: Partial<AssembleRequest> = {}): Promise<AssembledContext> =>
    opened.loci.assemble({
      model: "gpt-4o",
      system: "You help.",
      project: "The project is called Orchard.",
      task: "Plan the release.",
      query,
      recall: { scopes },
      ...fields,
    });
  beforeAll(async () => {
    opened = await TestEngine.open();
    await remember({ text: "Ann prefers short answers.", category: "preference", scope: user, importance: 0.3 });
    await remember({ text: "Ann prefers tabs.", category: "preference", scope: user, importance: 0.9 });
    await remember({ text: "Captured: likes spaces.", category: "preference", scope: user, origin: "capture" });
    await remember({ text: "A page: likes ads.", category: "preference", scope: user, trust: "untrusted" });
    const manner = { category: "procedure", isStatic: true, scope: user } as const;
    await remember({ text: "Never use emojis.", ...manner, origin: "capture" });
    await remember({ text: "Answer in German.", ...manner });
    await remember({ text: "PostgreSQL 17 holds the sessions.", isStatic: true });
    await remember({ text: "Theme is solarized.", category: "preference", slot: "theme", scope: "global" });
    await remember({ text: "Theme is dark.", category: "preference", slot: "theme" });
    await remember({ text: "Deploys happen on Thursdays." });
    await remember({ text: "The password rule is in the wiki.", category: "note", isPinned: true, importance: 0 });
    await remember({ text: "Run the tests before a commit.", category: "procedure", isPinned: true });
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test("are there whether the query finds them or not, pinned first, then by importance", async () => {
    const context = await assemble("xylophone");
    const system = contentOf(context, "system");
    expect(system.indexOf("tabs")).toBeLessThan(system.indexOf("short answers"));
    expect(system.indexOf("tabs")).toBeGreaterThan(system.indexOf("retrieved data"));
    const inProject = contentOf(context, "project");
    expect(inProject.indexOf("password rule")).toBeGreaterThan(0);
    expect(inProject.indexOf("password rule")).toBeLessThan(inProject.indexOf("PostgreSQL 17"));
    expect(context.text).not.toContain("Thursdays");
  });

  test("of those that are as important the newest come first: what somebody said last counts where there is no room for all", async () => {
    const scope = "project:newest" as const;
    const said = { scope, category: "preference" } as const;
    for (const [place, kind] of ["oak", "elm", "ash"].entries())
      await remember({ text: `The team prefers ${kind}.`, ...said, createdAt: opened.now - 3 + place });
    const inProject = contentOf(await assemble("xylophone", { recall: { scopes: [scope] } }), "project");
    expect(Array.from(inProject.matchAll(/prefers (\w+)/g), ([, kind]) => kind)).toEqual(["ash", "elm", "oak"]);
  });

  test("into the system section only go the caller's own words, and a nearer scope's slot overrides", async () => {
    const context = await assemble("xylophone");
    expect(contentOf(context, "system")).not.toContain("spaces");
    expect(contentOf(context, "project")).toContain("Captured: likes spaces.");
    expect(context.text).toContain("Theme is dark.");
    expect(context.text).not.toContain("solarized");
  });

  test("a pinned procedure stands among those to follow", async () => {
    expect(contentOf(await assemble("xylophone"), "procedures")).toContain("- Run the tests before a commit.");
  });

  test("a rule of how to speak stands, followed or as data", async () => {
    const context = await assemble("xylophone");
    expect(contentOf(context, "procedures")).toContain("- Answer in German.");
    expect(contentOf(context, "project")).toContain("Never use emojis.");
    expect(contentOf(context, "procedures")).not.toContain("emojis");
  });

  test("what others wrote stands nowhere unasked", async () => {
    expect((await assemble("xylophone")).text).not.toContain("likes ads");
  });

  test("the stable prefix holds them, and is the same for every query", async () => {
    const first = await assemble("When do deploys happen?");
    const second = await assemble("Which database holds the sessions of PostgreSQL?");
    const third = await assemble("Does Ann prefer tabs?", { messages: [{ role: "user", content: "Hello." }] });
    expect(prefixOf(first)).toContain("Theme is dark.");
    expect(prefixOf(first)).toContain("Plan the release.");
    expect(prefixOf(second)).toBe(prefixOf(first));
    expect(prefixOf(third)).toBe(prefixOf(first));
    expect(contentOf(first, "knowledge")).toContain("Thursdays");
    // What is found and stands is there once.
    expect(second.text.split("PostgreSQL 17")).toHaveLength(2);
  });

  test("it changes when they do", async () => {
    const before = prefixOf(await assemble("xylophone"));
    const id = await remember({ text: "Answers are in French.", category: "preference", scope: user });
    const during = await assemble("xylophone");
    expect(prefixOf(during)).toContain("in French");
    await opened.loci.memories.forget(id);
    expect(prefixOf(await assemble("xylophone"))).toBe(before);
  });

  test("other scopes, tenants, filters and assemblies without recall have none of them", async () => {
    const elsewhere = await assemble("xylophone", { recall: { scopes: ["user:bob"] } });
    const nowhere = await assemble("xylophone", { recall: undefined });
    const filtered = await assemble("xylophone", { recall: { scopes, categories: ["decision"] } });
    const other = await opened
      .as({ tenant: tenantId("other") })
      .assemble({ system: "You help.", query: "xylophone", recall: { scopes } });
    for (const { text } of [elsewhere, nowhere, filtered, other]) expect(text).not.toContain("<memory ");
  });

  test("what has no room in half of what the text leaves takes part in recall", async () => {
    const long = "word ".repeat(450);
    const id = await remember({ text: `Ann prefers walnuts. ${long}`, category: "preference", scope: user });
    const window = { preset: "8K" } as const;
    expect((await assemble("xylophone", { window })).text).not.toContain("walnuts");
    const asked = await assemble("Does Ann prefer walnuts?", { window });
    expect(contentOf(asked, "system")).not.toContain("walnuts");
    expect(contentOf(asked, "knowledge")).toContain("walnuts");
    await opened.loci.memories.forget(id);
  });

  test.each(["project", "system"])(
    "stand behind a text of %s longer than its budget, where the window grows with it",
    async (name) => {
      const long = await assemble("xylophone", { [name]: "word ".repeat(4000).trim() });
      const short = await assemble("xylophone");
      const shown = ({ receipt }: AssembledContext): readonly string[] =>
        receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "kept").map(({ id }) => id);
      expect(shown(long)).toEqual(shown(short));
      expect(shown(long).length).toBeGreaterThan(5);
      expect(long.warnings.filter(({ reason }) => reason === "ITEMS_DROPPED")).toEqual([]);
    },
  );

  test("the receipt and a warning say where a window of a fixed size has no room for them", async () => {
    const { receipt, warnings, text } = await assemble("xylophone", {
      project: "word ".repeat(1500).trim(),
      window: { preset: "8K" },
    });
    expect(text).not.toContain("likes spaces");
    const dropped = receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "dropped");
    expect(dropped.length).toBeGreaterThan(1);
    for (const { section, reason } of dropped) expect([section, reason]).toEqual(["project", "SECTION_FULL"]);
    expect(warnings.find(({ reason }) => reason === "ITEMS_DROPPED")).toMatchObject({ section: "project" });
  });

  test("what stands takes no place of a number of memories that is named", async () => {
    const tea = "user:tea" as const;
    for (const kind of ["green", "black", "white"])
      await remember({ text: `Prefers ${kind} tea.`, category: "preference", scope: tea });
    for (const day of ["Monday", "Tuesday", "Friday"])
      await remember({ text: `The tea of ${day} was good.`, scope: tea });
    const context = await assemble("Prefers tea?", { recall: { scopes: [tea], limit: 2 } });
    expect(contentOf(context, "system").match(/Prefers \w+ tea/g)).toHaveLength(3);
    expect(contentOf(context, "knowledge").match(/The tea of \w+ was good/g)).toHaveLength(2);
    const all = await assemble("Prefers tea?", { recall: { scopes: [tea], limit: 50 } });
    expect(contentOf(all, "knowledge").match(/The tea of \w+ was good/g)).toHaveLength(3);
  });

  test("what was known at a time stood then", async () => {
    const known = opened.now;
    opened.now += 1000;
    const id = await remember({ text: "Ann prefers quinces.", category: "preference", scope: user });
    const then = await assemble("xylophone", { recall: { scopes, knownAt: known } });
    expect(then.text).toContain("Ann prefers tabs.");
    expect(then.text).not.toContain("quinces");
    await opened.loci.memories.forget(id);
  });

  test("a scope has at most 50 that are pinned; unpinning makes room", async () => {
    const scope = "project:pins" as const;
    const { memories } = opened.loci;
    const pin = (count: number): RememberInput[] =>
      Array.from({ length: count }, (_, index) => ({ text: `pin ${index}`, scope, isPinned: true, repeat: "add" }));
    const [first] = await memories.rememberMany(pin(50));
    const refusal = { reason: "TOO_MANY_PINNED", code: "FAILED_PRECONDITION", field: "isPinned" };
    await expect(memories.rememberMany(pin(1))).rejects.toMatchObject(refusal);
    if (first === undefined) throw new Error("Nothing was remembered.");
    expect(first.isPinned).toBe(true);
    const unpinned = await memories.update(first.id, { isPinned: false }, { etag: first.etag });
    expect("isPinned" in unpinned).toBe(false);
    await memories.rememberMany(pin(1));
    await expect(memories.update(first.id, { isPinned: true }, { etag: unpinned.etag })).rejects.toMatchObject(refusal);
  });
});
