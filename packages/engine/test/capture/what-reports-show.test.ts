import {
  type CaptureJob,
  type Loci,
  type Memory,
  roles,
  type ScopeText,
  type SessionKeyInput,
  tenantId,
} from "@loci/domain";
import { sessionFamily } from "@loci/ledger";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CaptureRecord, captureWritten } from "../../src/capture/stored-capture.ts";
import { TestEngine } from "../support/test-engine.ts";

const at = Date.UTC(2026, 0, 1);
const key = { scope: "user:mallory", id: "s" } as const;
const known = "The team is on Godot 4.3, Canary71 only";
let opened: TestEngine;
let owner: Loci;

beforeEach(async () => {
  opened = await TestEngine.open();
  owner = opened.as({ subject: "owner", roles });
  await owner.memories.remember({ scope: "project:kiln", text: known, createdAt: at - 86_400_000 });
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Somebody who may decide about all that is theirs, and touch nothing else. */
const mallory = (): Loci => opened.as({ subject: "mallory", roles, scopePatterns: [key.scope] });

async function talk(
  loci: Loci,
  session: SessionKeyInput = key,
  content: string = "We upgraded to Godot 4.5.",
): Promise<void> {
  await loci.sessions.create({ ...session, project: "kiln" });
  await loci.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content, at }] });
  await loci.sessions.close(session);
  await loci.settled();
}

async function captureOf(loci: Loci): Promise<CaptureJob> {
  const [first] = (await loci.captures.list({ session: key })).captures;
  return loci.captures.wait(first?.id ?? "");
}

/** What the export of Mallory's scope has. */
async function exported(loci: Loci): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { line } of loci.maintenance.exportRecords({ scopes: [key.scope] })) lines.push(line);
  return lines;
}

async function memoriesOf(scope: ScopeText): Promise<readonly Memory[]> {
  return (await owner.memories.list({ scopes: [scope] })).memories;
}

async function textsOf(scope: ScopeText): Promise<readonly string[]> {
  return (await memoriesOf(scope)).map(({ text }) => text);
}

test("a session that names a project out of reach of who begins it is captured without it", async () => {
  await talk(mallory());
  const { projectScope, outcome } = await captureOf(mallory());
  expect(projectScope).toBeUndefined();
  expect(JSON.stringify(outcome)).not.toContain("Canary71");
  expect(await textsOf(key.scope)).toEqual(["The team upgraded to Godot 4.5."]);
  expect(await textsOf("project:kiln")).toEqual([known]);
  expect((await owner.captures.reviews.list({ scopes: ["project:kiln"] })).reviews).toEqual([]);
});

test("nor does the project hear of it by a capture that its approvers ask for, or in another directory", async () => {
  await talk(mallory());
  const lines = await exported(owner);
  const here = await owner.captures.start({ session: key, turns: { first: 1 }, extractor: "rules" });
  expect((await owner.captures.wait(here.id)).projectScope).toBeUndefined();
  await using elsewhere = await TestEngine.open();
  const there = elsewhere.as({ roles });
  await there.maintenance.importRecords(lines);
  const again = await there.captures.start({ session: key, turns: { first: 1 }, extractor: "rules" });
  expect((await there.captures.wait(again.id)).projectScope).toBeUndefined();
});

test("nor by a line of an export that whoever imports it has changed", async () => {
  await talk(mallory());
  const forged = (await exported(mallory())).flatMap((line) =>
    line.includes(`"type":"session"`) || line.includes(`"type":"turn"`)
      ? line
          .replace(`"isProjectForeign":true,`, `"isProjectForeign":false,`)
          .replace(`"id":"s"`, `"id":"forged"`)
          .replace(`"captured":1`, `"captured":0`)
      : [],
  );
  const { counts } = await mallory().maintenance.importRecords(forged);
  expect(counts.map(({ imported }) => imported)).toEqual([1, 1]);
  const { id } = await owner.captures.start({
    session: { ...key, id: "forged" },
    turns: { first: 1 },
    extractor: "rules",
  });
  expect((await owner.captures.wait(id)).projectScope).toBeUndefined();
});

test("nor by a session from before it was kept who may touch its project, here or in an export of it", async () => {
  await owner.sessions.create({ ...key, project: "kiln", capture: "off" });
  await owner.sessions.append(key, {
    expectedLast: 0,
    turns: [{ role: "user", content: "We upgraded to Godot 4.5.", at }],
  });
  const unmarked = (await exported(owner)).map((line) => line.replace(`"isProjectForeign":false,`, ""));
  await using elsewhere = await TestEngine.open();
  const there = elsewhere.as({ roles });
  await there.maintenance.importRecords(unmarked);
  const projectOf = async (loci: Loci): Promise<unknown> => {
    const { id } = await loci.captures.start({ session: key, turns: { first: 1 }, extractor: "rules" });
    return (await loci.captures.wait(id)).projectScope;
  };
  expect([await projectOf(owner), await projectOf(there)]).toEqual([{ kind: "project", id: "kiln" }, undefined]);
  const named = await there.captures.start({ session: key, turns: { first: 1 }, projectScope: "project:kiln" });
  expect((await there.captures.wait(named.id)).projectScope).toEqual({ kind: "project", id: "kiln" });
});

test("nor by itself by a session that was begun before that was kept", async () => {
  await owner.sessions.create({ ...key, project: "kiln" });
  const [tenant, place] = [tenantId("acme"), { kind: "user", id: "mallory" } as const];
  const [kept] = await opened.ledger.resources.list(tenant, { family: sessionFamily, scopes: [place], limit: 1 });
  if (kept === undefined) throw new Error("no session");
  const { isProjectForeign: _mark, ...state } = kept.state as { readonly isProjectForeign: boolean };
  const { ref, version } = kept;
  const written = { type: "resourceWritten", family: sessionFamily, kind: "sessionWritten", ref, state } as const;
  await opened.ledger.commit({
    tenant,
    author: { subject: "before" },
    scopePatterns: ["*"],
    expect: [{ ref, version }],
    changes: [{ ...written, version: version + 1, scope: place, payload: state }],
  });
  await owner.sessions.append(key, {
    expectedLast: 0,
    turns: [{ role: "user", content: "We upgraded to Godot 4.5.", at }],
  });
  await owner.sessions.close(key);
  await owner.settled();
  expect((await captureOf(owner)).projectScope).toBeUndefined();
  expect(await textsOf("project:kiln")).toEqual([known]);
});

test("nor by a capture that somebody else had asked for, and who may not touch the project has tried anew", async () => {
  await mallory().sessions.create({ ...key, capture: "off" });
  const turns = [{ role: "user", content: "We upgraded to Godot 4.5.", at }] as const;
  await mallory().sessions.append(key, { expectedLast: 0, turns });
  const dead: CaptureRecord = {
    session: { scope: { kind: "user", id: "mallory" }, id: key.id },
    since: 1,
    turns: { first: 1, last: 1 },
    extractor: "auto",
    projectScope: { kind: "project", id: "kiln" },
    authority: { subject: "owner", scopePatterns: ["*"], mayApprove: true },
    state: "dead",
    attempts: 5,
    createdAt: at,
    updatedAt: at,
  };
  const written = captureWritten(dead, 1);
  await opened.ledger.commit({
    tenant: tenantId("acme"),
    author: { subject: "owner" },
    scopePatterns: ["*"],
    expect: [{ ref: written.ref, version: 0 }],
    changes: [written],
  });
  const { id } = await mallory().captures.start({ session: key });
  expect(id).toBe(written.ref);
  const { outcome } = await mallory().captures.wait(id);
  expect(outcome?.candidates.map(({ scope, decision }) => [scope, decision])).toEqual([[key.scope, "ADD"]]);
  expect(await textsOf("project:kiln")).toEqual([known]);
});

test("a report does not tell that a project knows already what was said", async () => {
  await owner.memories.remember({ scope: "project:kiln", text: "The team upgraded to Godot 4.5." });
  await talk(owner);
  const told = async (loci: Loci): Promise<unknown> =>
    (await captureOf(loci)).outcome?.candidates.map(({ decision, memory, target }) => [decision, memory, target]);
  expect(await told(owner)).toEqual([["NOOP", null, expect.any(String)]]);
  expect(await told(mallory())).toEqual([["NOOP", null, null]]);
});

test("a report tells nobody what is known in a scope that they may not touch", async () => {
  await talk(owner);
  const shown = (await captureOf(owner)).outcome?.candidates[0];
  expect(shown?.text).toContain("Canary71");
  const { projectScope, outcome } = await captureOf(mallory());
  expect(projectScope).toEqual({ kind: "project", id: "kiln" });
  expect(outcome?.candidates.map(({ decision, text, target }) => [decision, text, target])).toEqual([
    ["UPDATE", "", null],
  ]);
});

test("a report and a dry run tell nothing to who may only write", async () => {
  await owner.memories.remember({ scope: key.scope, text: known, createdAt: at - 86_400_000 });
  const writer = opened.as({ subject: "writer", roles: ["write"], scopePatterns: [key.scope] });
  await writer.sessions.create({ ...key, capture: "off" });
  const content = "We upgraded to Godot 4.5.";
  await writer.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content, at }] });
  const tried = await writer.captures.start({ session: key, dryRun: true });
  const { id } = await writer.captures.start({ session: key });
  const done = await owner.captures.wait(id);
  expect(done.outcome?.candidates[0]?.text).toContain("Canary71");
  const again = await writer.captures.start({ session: key });
  for (const { outcome } of [tried, again])
    expect(outcome?.candidates.map(({ decision, text, target }) => [decision, text, target])).toEqual([
      ["UPDATE", "", null],
    ]);
});

test("an imported report shows no memory of others that it names as what was made", async () => {
  const [stored] = await memoriesOf("project:kiln");
  await opened.as({ roles }).sessions.create({ ...key, capture: "off" });
  const { sessions, captures, maintenance } = mallory();
  await sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: "I work at Corvid.", at }] });
  const { id } = await captures.start({ session: key });
  await captures.wait(id);
  const lines = await exported(mallory());
  const line = lines.find((each) => each.includes(`"type":"capture"`)) ?? "";
  const made = (await memoriesOf(key.scope))[0]?.id ?? "";
  const otherId = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const forged = line.replaceAll(id, otherId).replaceAll(made, stored?.id ?? "");
  const { counts } = await maintenance.importRecords([forged]);
  expect(counts).toMatchObject([{ type: "capture", imported: 1 }]);
  const { outcome } = await captures.get(otherId);
  expect(outcome?.candidates).toHaveLength(1);
  expect(JSON.stringify(outcome)).not.toContain("Canary71");
});
