import assert from "node:assert/strict";
import { type ExportRecordsRequest, type Loci, roles, tenantId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";
import { filledOwners, filledScopes, fillTenant } from "./filled-tenant.ts";
import { tenantAnswers } from "./tenant-answers.ts";

const key = { scope: "user:bob", id: "s-2" } as const;

async function exported(loci: Loci, request?: ExportRecordsRequest): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { line } of loci.maintenance.exportRecords(request)) lines.push(line);
  return lines;
}

async function typesOf(loci: Loci, request: ExportRecordsRequest): Promise<readonly string[]> {
  const types = new Set<string>();
  for await (const { type } of loci.maintenance.exportRecords(request)) types.add(type);
  return [...types].toSorted();
}

/** All that is kept, out and in again: the same in process and over a connection. */
export const exchangeCases: BehaviourFile = {
  covers: ["maintenance.exportRecords", "maintenance.importRecords"],
  cases: [
    {
      name: "a tenant that was exported and imported answers the same, and importing again changes nothing",
      run: async ({ as }) => {
        const from = await as({ roles });
        await fillTenant(from);
        const lines = await exported(from);
        const to = await as({ tenant: tenantId("other"), roles });
        const report = await to.maintenance.importRecords(lines);
        assert.equal(report.leftOut, undefined);
        assert.equal(
          report.counts.reduce((sum, { imported }) => sum + imported, 0),
          lines.length,
        );
        await to.settled();
        const wanted = await tenantAnswers(from, filledScopes, filledOwners);
        assert.deepEqual(await tenantAnswers(to, filledScopes, filledOwners), wanted);
        const again = await to.maintenance.importRecords(lines.toReversed());
        assert.equal(again.leftOut, undefined);
        assert.ok(again.counts.every(({ imported, erased }) => imported + erased === 0));
        assert.deepEqual(await tenantAnswers(to, filledScopes, filledOwners), wanted);
      },
    },
    {
      name: "an export is narrowed to parts and scopes, and goes on behind any line",
      run: async ({ as, loci }) => {
        const from = await as({ roles });
        await fillTenant(from);
        assert.deepEqual(await typesOf(from, { parts: ["memories"] }), ["memory"]);
        assert.deepEqual(await typesOf(from, { parts: ["blocks"] }), ["block", "blockSchema", "edit"]);
        assert.deepEqual(await typesOf(from, { parts: ["sessions"] }), ["session", "turn", "turnState"]);
        assert.deepEqual(await typesOf(from, { parts: ["captures"] }), ["capture", "evidence"]);
        const ofBob = await exported(from, { scopes: ["user:bob"] });
        assert.ok(ofBob.length > 5 && ofBob.every((line) => !line.includes("alice")), ofBob.join("\n"));
        const all = await exported(from);
        let index = 0;
        for await (const { place } of from.maintenance.exportRecords()) {
          index++;
          if (index % 4 === 0) assert.deepEqual(await exported(from, { after: place }), all.slice(index));
        }
        await refuses(exported(from, { after: "nowhere" }), "INVALID_REQUEST", "after");
        await refuses(exported(from, { parts: ["words"] } as never), "INVALID_REQUEST");
        await refuses(exported(from, { parts: [] }), "INVALID_REQUEST");
        await refuses(exported(from, { scopes: ["nobody:bob"] as never }), "INVALID_SCOPE");
        await refuses(exported(loci), "ROLE_REQUIRED");
        await refuses(loci.maintenance.importRecords(all), "ROLE_REQUIRED");
      },
    },
    {
      name: "a credential that is limited exports and imports what it covers",
      run: async ({ as }) => {
        const from = await as({ roles });
        await fillTenant(from);
        const narrow = { roles, scopePatterns: ["user:bob"] };
        const ofBob = await exported(await as(narrow));
        assert.deepEqual(ofBob, await exported(from, { scopes: ["user:bob"] }));
        const to = await as({ tenant: tenantId("other"), ...narrow });
        await refuses(to.maintenance.importRecords(await exported(from)), "SCOPE_NOT_PERMITTED");
        assert.equal((await to.maintenance.importRecords(ofBob)).leftOut, undefined);
        await refuses(exported(await as(narrow), { scopes: ["user:alice"] }), "SCOPE_NOT_PERMITTED");
      },
    },
    {
      name: "an imported session is gone on with, and nothing of it is captured twice",
      run: async ({ as }) => {
        const from = await as({ roles });
        await from.sessions.create(key);
        await from.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: "I live in Oslo." }] });
        await from.captures.wait((await from.captures.start({ session: key })).id);
        const to = await as({ tenant: tenantId("other"), roles });
        // Without its captures: how far they came is said by the session.
        await to.maintenance.importRecords(await exported(from, { parts: ["memories", "sessions"] }));
        assert.equal((await to.memories.list({ scopes: ["user:bob"] })).memories.length, 1);
        await refuses(to.captures.start({ session: key }), "INVALID_REQUEST");
        await to.sessions.append(key, { expectedLast: 1, turns: [{ role: "user", content: "I work at Corvid." }] });
        await to.sessions.close(key);
        const { captures } = await to.captures.list({ session: key });
        assert.deepEqual(
          captures.map(({ turns }) => turns),
          [{ first: 2, last: 2 }],
        );
        await to.captures.wait(captures[0]?.id ?? "");
        const { memories } = await to.memories.list({ scopes: ["user:bob"] });
        assert.equal(memories.length, 2);
        // What went on elsewhere meanwhile does not come in between.
        await from.sessions.append(key, {
          expectedLast: 1,
          turns: [
            { role: "user", content: "Hello." },
            { role: "user", content: "Well?" },
          ],
        });
        const late = await to.maintenance.importRecords(await exported(from, { parts: ["sessions"] }));
        assert.deepEqual(
          late.leftOut?.map(({ reason }) => reason),
          ["TURN_CONFLICT"],
        );
        assert.equal((await to.sessions.turns(key)).lastTurn, 2);
      },
    },
    {
      name: "an imported capture is undone as where it was made, but for what was changed since",
      run: async ({ as }) => {
        const from = await as({ roles });
        await fillTenant(from);
        const to = await as({ tenant: tenantId("other"), roles });
        await to.maintenance.importRecords(await exported(from));
        const { captures } = await from.captures.list({ scopes: ["user:alice"] });
        for (const { id } of captures) {
          const [here, there] = [await from.captures.undo(id), await to.captures.undo(id)];
          assert.deepEqual(there.undone, here.undone);
          assert.equal(here.undone?.forgotten.length, 2);
        }
      },
    },
    {
      name: "what was deleted or erased where an export is imported stays so",
      run: async ({ as }) => {
        const from = await as({ roles });
        await fillTenant(from);
        const lines = await exported(from);
        await from.sessions.delete(key);
        await from.maintenance.erase({ user: "alice" });
        const report = await from.maintenance.importRecords(lines);
        assert.ok(report.counts.every(({ imported }) => imported === 0));
        const erased = report.counts.filter((count) => count.erased > 0).map(({ type }) => type);
        assert.deepEqual(erased, ["memory", "block", "edit", "session", "turn", "turnState", "capture", "evidence"]);
        assert.deepEqual(await from.blocks.list({ owner: "user:alice" }), []);
        await refuses(from.sessions.get({ scope: "user:alice", id: "s-1" }), "SESSION_NOT_FOUND");
        await refuses(from.sessions.get(key), "SESSION_NOT_FOUND");
        // Whoever has begun anew is not given back what was erased either.
        await from.blocks.create({ owner: "user:alice", label: "persona", values: { role: "helper" } });
        await from.maintenance.importRecords(lines);
        assert.equal((await from.blocks.list({ owner: "user:alice" })).length, 1);
      },
    },
    {
      name: "lines that belong to what is not there are left out, and lines of other things are refused whole",
      run: async ({ as }) => {
        const from = await as({ roles });
        await fillTenant(from);
        const lines = await exported(from);
        const of = (type: string, more = ""): string =>
          lines.find((line) => line.includes(`"type":"${type}"`) && line.includes(more)) ?? "";
        const to = await as({ tenant: tenantId("other"), roles });
        const alone = ["edit", "turn", "turnState", "evidence"].map((type) => of(type));
        const second = of("block", '"version":2,');
        const { counts, leftOut } = await to.maintenance.importRecords([...alone, second]);
        assert.ok(counts.every(({ imported }) => imported === 0));
        assert.deepEqual(
          leftOut?.map(({ reason }) => reason),
          ["BLOCK_NOT_FOUND", "SESSION_NOT_FOUND", "SESSION_NOT_FOUND", "MEMORY_NOT_FOUND", "VERSION_NOT_FOUND"],
        );
        const session = of("session");
        const wrong = (line: string, part: string, by: string): string => {
          assert.ok(line.includes(part), `${line} has no ${part}.`);
          return line.replace(part, by);
        };
        const hostile = [
          "{}",
          "[]",
          '{"format":"loci-record-1","type":"memory"}',
          '{"format":"loci-record-1","type":"lease"}',
          wrong(session, '"capture":"off"', '"capture":"never"'),
          wrong(session, '"turns":', '"turns":-'),
          wrong(of("turn"), '"number":1', '"number":0'),
          wrong(of("turn"), '"role":"user"', '"role":"root"'),
          wrong(of("turnState"), '"sessionId":"s-1"', '"sessionId":"s-2"'),
          wrong(of("capture"), '"state":"succeeded"', '"state":"queued"'),
          wrong(of("capture"), '"turns":{', '"authority":{},"turns":{'),
          wrong(of("evidence"), '"turn":', '"turn":-'),
          wrong(of("edit"), '"op":"append"', '"op":"execute"'),
          wrong(of("block"), '"policy":"approve"', '"policy":"anything"'),
        ];
        for (const line of hostile) {
          const call = to.maintenance.importRecords([session, line]);
          const error = await call.then(
            () => undefined,
            (thrown: unknown) => thrown as { readonly field?: string; readonly code?: string },
          );
          assert.equal(error?.code, "INVALID_ARGUMENT", line);
          assert.ok(error.field?.startsWith("lines[1]"), `${error.field} for ${line}`);
        }
        assert.deepEqual((await to.sessions.list({ scopes: filledScopes })).sessions, []);
        // Another session, and another block, under the same name.
        const name = { scope: "user:alice", id: "s-1" } as const;
        await to.sessions.create({ ...name, createdAt: 1 });
        await to.blocks.create({ owner: "user:alice", label: "human", values: { name: "Another" } });
        const others = await to.maintenance.importRecords(
          await exported(from, { scopes: ["user:alice"], parts: ["blocks", "sessions"] }),
        );
        const reasons = others.leftOut?.map(({ reason }) => reason);
        assert.deepEqual(new Set(reasons), new Set(["BLOCK_EXISTS", "SESSION_EXISTS"]));
        assert.equal((await to.sessions.get(name)).lastTurn, 0);
        assert.deepEqual((await to.blocks.get({ owner: "user:alice", label: "human" })).values, { name: "Another" });
      },
    },
  ],
};
