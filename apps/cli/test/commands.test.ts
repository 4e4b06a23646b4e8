import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AssembledContext,
  Caller,
  KeptReceipt,
  ListReceiptsResult,
  LociStatus,
  Memory,
  RecallResult,
} from "@loci/loci";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommandLine } from "../src/command-line.ts";
import { runCommand } from "./run-command.ts";

const bin = join(import.meta.dirname, "../bin/loci.js");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  // What is tested is the same with every index, and this one needs no thread; the others are opened in moving.test.ts.
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function json<Value>(words: readonly string[]): Promise<Value> {
  const { code, out, error } = await runCommand([...words, "--json"]);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as Value;
}

describe("loci", () => {
  test("the index is the one that was chosen", async () => {
    await json<Memory>(["remember", "We deploy on Thursday.", "--index", "lancedb"]);
    expect(existsSync(join(folder, "data", "index-lancedb"))).toBe(true);
    vi.stubEnv("LOCI_INDEX_USE", "lancedb");
    const { hits } = await json<RecallResult>(["recall", "when do we deploy?"]);
    expect(hits.map((hit) => hit.memory.text)).toEqual(["We deploy on Thursday."]);
    expect((await runCommand(["recall", "when?", "--index", "lance"])).code).toBe(2);
  });

  test("what holds no more is listed as such, and limits are refused where they are given", async () => {
    const { id } = await json<Memory>(["remember", "We chose PostgreSQL 16."]);
    expect((await runCommand(["memories", "list"])).out).toContain("fact        We chose");
    await json<Memory>(["memories", "update", id, "--valid-from", "2025-01-01", "--valid-to", "2025-03-01"]);
    expect((await runCommand(["memories", "list"])).out).toMatch(/fact {8}until 2025-03-01 \d\d:\d\d: We chose/u);
    const listed = async (...options: readonly string[]): Promise<readonly unknown[]> =>
      (await json<{ memories: Memory[] }>(["memories", "list", ...options])).memories.map((memory) => memory.id);
    expect(await listed("--valid")).toEqual([]);
    expect(await listed("--valid-at", "2025-02-01")).toEqual([id]);
    expect(await listed("--valid-at", "2025-03-01")).toEqual([]);
    expect((await runCommand(["memories", "list", "--valid", "--valid-at", "2025-02-01"])).code).toBe(2);
    const refused = await runCommand(["memories", "list", "--limit", "-1"]);
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining("from 1 to 1000") as unknown });
    const undone = await runCommand(["capture", "undo", "x"]);
    expect(undone).toMatchObject({ code: 2, error: expect.stringContaining("The id of a capture is") as unknown });
  });

  test("a pinned memory stands in every context, and recall's limits and the window's size can be said", async () => {
    const scope = ["--scope", "project:pins"];
    for (const fact of ["one", "two", "three"])
      await json<Memory>(["remember", `Plums are picked in ${fact}.`, ...scope]);
    const pinned = await json<Memory>(["remember", "Answer in French.", ...scope, "--category", "note", "--pin"]);
    expect(pinned.isPinned).toBe(true);
    const model = ["--model", "gpt-4o"];
    const all = await json<AssembledContext>(["assemble", "When are plums picked?", ...scope, ...model]);
    expect(all.text.match(/Plums/g)).toHaveLength(3);
    expect(all.text).toContain("Answer in French.");
    const limits = ["--limit", "1", "--preset", "8K", "--max-window", "6000"];
    const some = await json<AssembledContext>(["assemble", "When are plums picked?", ...scope, ...model, ...limits]);
    expect(some.text.match(/Plums/g)).toHaveLength(1);
    expect(some.text).toContain("Answer in French.");
    expect(some.receipt.window).toMatchObject({ preset: "8K", totalTokens: 6000 });
    expect(some.warnings.map(({ reason }) => reason)).toContain("MEMORIES_LEFT_OUT");
    expect((await runCommand(["memories", "show", pinned.id])).out).toContain("pinned");
  });

  test("a memory is made, shown and changed by its key", async () => {
    const named = ["--key", "settings/theme", "--scope", "user:keyed"];
    const made = await json<Memory>([
      "memories",
      "update",
      ...named,
      "--allow-missing",
      "--text",
      "The theme is dark.",
    ]);
    expect(made).toMatchObject({ key: "settings/theme", version: 1, scope: { kind: "user", id: "keyed" } });
    const again = ["memories", "update", ...named, "--allow-missing", "--text", "The theme is light."];
    expect(await json<Memory>(again)).toMatchObject({ id: made.id, version: 2 });
    expect(await json<Memory>(["memories", "update", ...named, "--importance", "0.9"])).toMatchObject({ version: 3 });
    expect((await runCommand(["memories", "get", ...named])).out).toMatch(/^key +settings\/theme$/m);
    const taken = await runCommand(["remember", "Another.", ...named]);
    expect(taken.code).not.toBe(0);
    expect(taken.error).toContain('has a memory with the key "settings/theme" already');
    expect(await json<Memory>(["remember", "Another.", ...named.with(1, "other")])).toMatchObject({ key: "other" });
    for (const wrong of [[], [made.id, ...named]]) {
      const refused = await runCommand(["memories", "show", ...wrong]);
      expect(refused.error).toContain("Name the memory by its id, or by --key and --scope.");
    }
  });

  test("what is remembered can be recalled, assembled, listed, shown and forgotten", async () => {
    const scope = ["--scope", "project:billing"];
    const memory = await json<Memory>([
      "remember",
      "We chose PostgreSQL 17.",
      ...scope,
      "--category",
      "decision",
      "--source",
      "ADR-012",
      "--source-kind",
      "adr",
    ]);
    expect(memory).toMatchObject({ text: "We chose PostgreSQL 17.", version: 1, provenance: { sourceId: "ADR-012" } });

    const { hits } = await json<RecallResult>(["recall", "which PostgreSQL do we use?", ...scope]);
    expect(hits.map((hit) => hit.memory.id)).toEqual([memory.id]);

    const context = await json<AssembledContext>([
      "assemble",
      "which PostgreSQL?",
      ...scope,
      "--system",
      "Be brief.",
      "--model",
      "gpt-4o",
    ]);
    expect(context.text).toContain('<memory source="ADR-012"');
    expect(context.text.startsWith("<system>\nBe brief.")).toBe(true);

    const why = await runCommand(["memories", "why", "which PostgreSQL?", ...scope]);
    for (const part of ["relevance", "recency", "importance", "frequency", "last 20"]) expect(why.out).toContain(part);

    expect((await json<{ memories: Memory[] }>(["memories", "list", ...scope])).memories).toHaveLength(1);
    expect((await runCommand(["memories", "show", memory.id])).out).toContain("We chose PostgreSQL 17.");
    expect((await runCommand(["memories", "forget", memory.id])).code).toBe(0);
    const emptied = await runCommand(["memories", "list", ...scope, "--json"]);
    expect(JSON.parse(emptied.out)).toEqual({ memories: [] });
    expect(emptied.error).toContain("nothing is stored in project:billing");
    const states = ["--state", "deleted", "--state", "quarantined"];
    expect((await runCommand(["memories", "list", ...scope, ...states])).out).toMatch(/decision {4}deleted: We chose/u);
    expect((await runCommand(["memories", "list", ...scope, "--state", "gone"])).code).toBe(2);
    expect(
      (await json<{ versions: Memory[] }>(["memories", "history", memory.id])).versions.map(({ state }) => state),
    ).toEqual(["active", "deleted"]);
  });

  test("the history of a memory says what each version changed", async () => {
    const { id } = await json<Memory>(["remember", "Deploys happen on Thursdays.", "--importance", "0.7"]);
    await json<Memory>(["memories", "update", id, "--importance", "0.9", "--tag", "deploys"]);
    await json<Memory>(["memories", "update", id, "--text", "Deploys happen on Fridays."]);
    const { out } = await runCommand(["memories", "history", id]);
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").split("\n")).toEqual([
      "   1  TIME  active    Deploys happen on Thursdays.",
      "   2  TIME  active    Deploys happen on Thursdays.",
      "      importance: 0.7 → 0.9",
      "      tags: – → deploys",
      "   3  TIME  active    Deploys happen on Fridays.",
      "      valid: – → TIME to –",
      "",
    ]);
  });

  test("what goes wrong beside a command is a note of its own, and the command goes on", async () => {
    vi.stubEnv("LOCI_INDEX_USE", "embedded");
    await json<Memory>(["remember", "We deploy on Thursday."]);
    rmSync(join(folder, "data", "embeddings.cache"));
    mkdirSync(join(folder, "data", "embeddings.cache"));
    const { code, out, error } = await runCommand(["recall", "when do we deploy?"]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Thursday") as unknown });
    expect(error).toMatch(/^loci: (reading|writing) the embedding cache failed, and is tried again: /u);
  });

  test("what a context was made of can be looked up later, without its text", async () => {
    const scope = ["--scope", "project:receipts"];
    const memory = await json<Memory>(["remember", "We chose DuckDB.", ...scope]);
    const question = "Which database have we chose?";
    const { receiptId = "" } = await json<AssembledContext>(["assemble", question, ...scope]);
    await json<AssembledContext>(["assemble", question, ...scope, "--evaluation-time", "2026-01-01"]);
    const list = await runCommand(["receipts", "list"]);
    expect(list.out).toMatch(
      new RegExp(`^${receiptId}  .* tokens  \\d+ items?.*\n  project:receipts  by local\n`, "u"),
    );
    const { receipts } = await json<ListReceiptsResult>(["receipts", "list"]);
    expect(receipts.filter(({ scopes }) => scopes.some(({ id }) => id === "receipts"))).toHaveLength(1);
    const shown = await runCommand(["receipts", "show", receiptId]);
    expect(shown.out).toContain(`${memory.id}  version 1`);
    expect(shown.out + list.out).not.toContain("DuckDB");
    const kept = await json<KeptReceipt>(["receipts", "show", receiptId]);
    expect(kept).toMatchObject({ summary: { id: receiptId }, memories: [{ id: memory.id, version: 1 }] });
    expect(await runCommand(["receipts", "show", memory.id])).toMatchObject({ code: 3 });
    vi.stubEnv("LOCI_RECEIPTS_KEEP", "off");
    expect(await json<AssembledContext>(["assemble", question, ...scope])).not.toHaveProperty("receiptId");
    vi.stubEnv("LOCI_RECEIPTS_KEEP", "1 day");
    expect((await runCommand(["receipts", "list"])).error).toContain("LOCI_RECEIPTS_KEEP is not off, or a time");
    vi.unstubAllEnvs();
  });

  test("a memory is changed, brought back as it was, and brought back when it was forgotten", async () => {
    const memory = await json<Memory>([
      "remember",
      "We deploy on Tuesdays.",
      "--scope",
      "project:deploys",
      "--tag",
      "a",
    ]);
    const update = (...options: readonly string[]): readonly string[] => ["memories", "update", memory.id, ...options];
    const changed = await json<Memory>(
      update("--text", "We deploy on Thursdays.", "--no-tag", "--pin", "--importance", "1"),
    );
    expect(changed).toMatchObject({
      text: "We deploy on Thursdays.",
      tags: [],
      isPinned: true,
      importance: 1,
      version: 2,
    });
    const unpinned = await json<Memory>(update("--no-pin"));
    expect([unpinned.isPinned ?? false, unpinned.text]).toEqual([false, changed.text]);

    const outdated = await runCommand(update("--importance", "0.1", "--etag", memory.etag, "--json"));
    expect([outdated.code === 0, outdated.error]).toEqual([false, expect.stringContaining("VERSION_CONFLICT")]);
    expect((await runCommand(update())).error).toContain("nothing that is to be changed");

    const restore = ["memories", "restore", memory.id];
    expect(await json<Memory>([...restore, "1"])).toMatchObject({ text: memory.text, tags: ["a"], version: 4 });
    // The one before is version 3.
    expect(await json<Memory>(restore)).toMatchObject({ text: changed.text, version: 5 });
    const forgotten = await runCommand(["memories", "forget", memory.id]);
    expect(forgotten.out).toContain(`loci memories restore ${memory.id}`);
    expect(await json<Memory>(restore)).toMatchObject({ text: changed.text, state: "active" });
    expect((await runCommand([...restore, "first"])).error).toContain("whole number");
  });

  test("a memory that has not changed has nothing to go back to", async () => {
    const { id } = await json<Memory>(["remember", "Once.", "--scope", "project:deploys"]);
    const { code, error } = await runCommand(["memories", "restore", id, "--json"]);
    expect([code === 0, error]).toEqual([false, expect.stringContaining("VERSION_NOT_FOUND")]);
  });

  test("a secret that is remembered is warned of, apart from the memory", async () => {
    const words = ["remember", "The key is sk-proj-4f9Kd82LmQz71XcVbN30TyUiOp56AsDf.", "--scope", "project:deploys"];
    const { out, error } = await runCommand(words);
    expect(out).toContain("The key is");
    expect(error).toContain("Warning:");
    const { id } = await json<Memory>(["remember", "No key is here.", "--scope", "project:deploys"]);
    expect((await runCommand(["memories", "update", id, "--text", words[1] as string])).error).toContain("Warning:");
  });

  test("recall is asked for another time, for a session, and by a filter", async () => {
    const scope = ["--scope", "project:rotation"];
    const query = ["recall", "when do deploys happen?", ...scope];
    const memory = await json<Memory>(["remember", "Deploys happen on Fridays.", ...scope]);
    const found = async (...options: readonly string[]): Promise<RecallResult["hits"]> =>
      (await json<RecallResult>([...query, ...options])).hits;
    const at = (offset: number): string => new Date(memory.recordedAt + offset).toISOString();
    expect(await found("--known-at", at(0))).toHaveLength(1);
    expect(await found("--known-at", at(-1))).toEqual([]);
    expect(await found("--valid-at", at(0))).toHaveLength(1);

    const session = (name: string): readonly string[] => ["--owner", "alice", "--session", name];
    const stale = async (...options: readonly string[]): Promise<number | undefined> =>
      (await found(...options, "--explain"))[0]?.parts.stale;
    await found(...session("one"));
    expect(await stale(...session("two"))).toBe(0.5);
    expect(await stale(...session("one"))).toBe(1);
    expect(await stale(...session("one"), "--rotation", "session")).toBe(0.5);
    expect(await stale(...session("two"), "--rotation", "off")).toBe(1);
    expect((await runCommand([...query, "--owner", "alice"])).error).toContain("--session is missing");

    const where = (value: string): string => JSON.stringify({ field: "category", operator: "equals", value });
    expect(await found("--where", where("decision"))).toEqual([]);
    expect(await found("--where", where(memory.category))).toHaveLength(1);
    expect((await runCommand([...query, "--where", "category"])).code).not.toBe(0);
  });

  test("recall says what is outdated, and what holds instead", async () => {
    const scope = ["--scope", "project:editors"];
    const since = async (text: string, day: string): Promise<Memory> => {
      const { id } = await json<Memory>(["remember", text, "--slot", "editor", ...scope]);
      return json<Memory>(["memories", "update", id, "--valid-from", day]);
    };
    const old = await since("The favourite editor is Vim.", "2026-01-05");
    const newer = await since("The favourite editor is Zed.", "2026-05-04");
    const query = ["recall", "which editor is the favourite?", ...scope];
    const { hits } = await json<RecallResult>(query);
    expect(hits.map(({ memory, outdated }) => [memory.id, outdated])).toEqual([
      [newer.id, undefined],
      [old.id, { since: Date.UTC(2026, 4, 4), isInPart: false, replacedBy: [newer.id] }],
    ]);
    for (const options of [[], ["--explain"]]) {
      const { out } = await runCommand([...query, ...options]);
      expect(out.match(/outdated .*/gu)).toEqual(["outdated since 2026-05-04 00:00; now: 1."]);
    }
  });

  test("recall says why a memory is not there", async () => {
    const scope = ["--scope", "project:why"];
    const { id } = await json<Memory>(["remember", "Deploys happen on Fridays.", ...scope]);
    const far = await json<Memory>(["remember", "The cat sleeps below the piano.", ...scope]);
    const query = ["recall", "when do deploys happen?", "--why", id, far.id];
    const { out } = await runCommand([...query, ...scope]);
    expect(out).toContain(`Why ${id}: it was recalled.`);
    expect(out).toMatch(
      /it does not come close enough to the question \(BELOW_RELEVANCE_FLOOR\)\.\n {4}closeness 0\.\d+, and it takes 0\./u,
    );
    expect(out).toContain("rank 2");
    expect(out).toMatch(
      /Left out: 1 \(1 BELOW_RELEVANCE_FLOOR\)\n {2}0\.\d{3} {2}BELOW_RELEVANCE_FLOOR {2}\S+\n {9}The cat sleeps/u,
    );
    expect((await runCommand([...query, "--scope", "project:other"])).out).toContain("is in none of the scopes");
    const { accounts } = await json<RecallResult>([...query, ...scope]);
    expect(accounts?.map(({ reason }) => reason)).toEqual([undefined, "BELOW_RELEVANCE_FLOOR"]);
    expect((await runCommand(["recall", "when?", "--why", "x"])).error).toContain("UUIDv7");
  });

  test("of many that were left out the best ten are shown with their texts", async () => {
    const scope = ["--scope", "project:many"];
    const lines = Array.from({ length: 14 }, (_, index) => `Deploys of service ${index} happen on Fridays.`);
    for (const line of lines) await json<Memory>(["remember", line, ...scope]);
    const { out } = await runCommand(["memories", "why", "when do deploys happen?", "--limit", "2", ...scope]);
    expect(out).toContain("Left out: 12 (");
    expect(out.split("Left out: ")[1]?.match(/Deploys of service \d+ happen/gu)).toHaveLength(10);
    expect(out).toContain("and 2 more: --json has all of them");
  });

  test("whoami says who asks", async () => {
    await json<Memory>(["remember", "Deploys happen on Fridays."]);
    expect(await json<Caller>(["whoami"])).toMatchObject({ tenant: "local", scopePatterns: ["*"] });
    const { out } = await runCommand(["whoami", "--as-tenant", "acme"]);
    expect(out).toContain("tenant       acme\n");
    expect(out).toContain("scopes       * (every scope)\n");
    expect(out).toContain("answered by  this process, Loci ");
  });

  test("status says what is there, and how far all that follows is", async () => {
    await json<Memory>(["remember", "Deploys happen on Fridays."]);
    const { ledger, projections } = await json<LociStatus>(["status"]);
    expect(ledger).toMatchObject({ memories: 1, kept: 1, scopes: 1 });
    expect(projections.map(({ name }) => name)).toEqual(expect.arrayContaining(["vectors", "text"]));
    const { out } = await runCommand(["status"]);
    expect(out).toMatch(/^ledger {13}sequence 1, last change (just now|\d+ seconds? ago)$/mu);
    expect(out).toMatch(/^memories {11}1 in 1 scope; 0 forgotten or waiting$/mu);
    expect(out).toMatch(/^jobs {15}none$/mu);
    // What the command before has left to whoever opens the directory next.
    expect(out).toMatch(/^vectors {12}up to date at 1$/mu);
    expect(out).toMatch(/^text {15}up to date at 1$/mu);
  });

  test("several memories are shown at once, and it is said which are not there", async () => {
    const [first, second] = [
      await json<Memory>(["remember", "Deploys happen on Fridays."]),
      await json<Memory>(["remember", "The cat sleeps below the piano."]),
    ];
    const nobody = "01a21c80-1183-74b7-b713-a020a14aea24";
    const { out } = await runCommand(["memories", "show", second.id, nobody, first.id]);
    expect(out.indexOf("piano")).toBeLessThan(out.indexOf("Fridays"));
    expect(out).toContain(`There is none that you may read: ${nobody}`);
    expect(await json(["memories", "show", second.id, first.id])).toMatchObject({
      memories: [second, first],
      missing: [],
    });
  });

  test("a status that is watched ends quietly when it is stopped", async () => {
    await json<Memory>(["remember", "Deploys happen on Fridays."]);
    const stop = new AbortController();
    const said = vi.spyOn(console, "log").mockImplementation((line: string) => {
      if (line.startsWith("jobs")) setTimeout(() => stop.abort(), 50);
    });
    await runCommandLine(["status", "--watch"], { signal: stop.signal });
    expect(said.mock.calls.flat().filter((line) => String(line).startsWith("ledger"))).toHaveLength(1);
    said.mockRestore();
  });

  test("the ids of memories are listed in an order, one a line", async () => {
    const [little, much] = [
      await json<Memory>(["remember", "The Parrot is green.", "--importance", "0.2"]),
      await json<Memory>(["remember", "The parrot talks.", "--importance", "0.9"]),
    ];
    const { out } = await runCommand(["memories", "ids", "--text", "PARROT", "--order", "importance"]);
    expect(out).toBe(`${much.id}\n${little.id}\n`);
    const lines = await runCommand(["memories", "ids", "--text", "talks", "--json"]);
    expect(JSON.parse(lines.out)).toEqual({ id: much.id });
  });

  test("importing follows the files", async () => {
    const record = join(folder, "0001-log.md");
    const talk = join(folder, "talk.jsonl");
    writeFileSync(record, `# Log\n\nOne log.\n\n## Why\n\n${"Crashes. ".repeat(120)}\n`);
    writeFileSync(talk, '{"session":"s","id":"1","speaker":"Mara","content":"Hello","at":"2026-01-01T00:00:00Z"}\n');
    const counts = { files: 2, added: 0, changed: 0, removed: 0, unchanged: 0 };
    expect(await json(["import", record, talk])).toMatchObject({ ...counts, added: 3 });
    expect(await json(["import", record, talk])).toMatchObject({ ...counts, unchanged: 3 });
    writeFileSync(record, "# Log\n\nOne ordered log.\n");
    expect(await json(["import", record, talk])).toMatchObject({ ...counts, changed: 1, removed: 1, unchanged: 1 });
  });

  test("importing makes sessions of transcripts, whatever is beside them", async () => {
    const record = join(folder, "0001-log.md");
    const talk = join(folder, "talk.jsonl");
    const list = join(folder, "list.json");
    const said = { role: "user", content: "I work at Corvid as a nurse." };
    writeFileSync(record, "# Log\n\nOne log.\n");
    writeFileSync(talk, `${JSON.stringify(said)}\n${JSON.stringify({ role: "assistant", content: "I see." })}\n`);
    writeFileSync(list, JSON.stringify([said]));
    const { out } = await runCommand(["import", record, talk, list, "--close"]);
    expect(out).toContain("talk.jsonl (openai) into global: 1 session (1 new), 2 turns appended.");
    expect(out).toContain("1 memory made of 1 statement");
    expect(out).toContain("1 file into global: 1 new");
    expect(await json(["import", talk])).toMatchObject({
      files: 0,
      transcripts: [{ kind: "openai", sessions: [{ id: "talk", outcome: "unchanged" }] }],
    });
    writeFileSync(list, JSON.stringify({ name: "loci" }));
    expect(await runCommand(["import", list])).toMatchObject({
      code: 2,
      error: expect.stringContaining("is no transcript of a known kind"),
    });
  });

  test("bad input gets one clear error, a telling exit code, and changes nothing", async () => {
    const cases: readonly [readonly string[], number, string][] = [
      [["memories", "list"], 3, "DATA_DIRECTORY_MISSING"],
      [["remember", "x", "--importance", "2"], 2, "INVALID_NUMBER"],
      [["remember", "x", "--scope", "planet:earth"], 2, "INVALID_SCOPE"],
      [["remember", "x", "--importance", "much"], 2, "must be a number"],
      [["memories", "show", "1"], 2, "INVALID_IDENTIFIER"],
      [["assemble", "x", "--system", "@/nowhere"], 3, "FILE_NOT_FOUND"],
      [["import", "/nowhere"], 3, "FILE_NOT_FOUND"],
      [["frobnicate"], 2, "unknown command"],
      [["remeber"], 2, "Did you mean remember?"],
      [["forget"], 2, "Did you mean memories forget?"],
    ];
    for (const [words, code, text] of cases) {
      const ended = await runCommand(words);
      expect({ words, code: ended.code, out: ended.out }).toEqual({ words, code, out: "" });
      expect(ended.error).toContain(text);
    }
    const { out: listed } = await runCommand(["memories", "list", "--json"]);
    expect(JSON.parse(listed)).toMatchObject({ memories: [] });
  });

  test("what is remembered cannot steer the terminal", async () => {
    await runCommand(["remember", "red \u001b[31m and \u202ereversed"]);
    const { out } = await runCommand(["memories", "list"]);
    expect(out).toContain("red \\u{1b}[31m and \\u{202e}reversed");
    expect(out).not.toMatch(/[\u001b\u202e]/u);
  });

  test("the command reads standard input and prints to standard output", async () => {
    const child = spawn(process.execPath, [bin, "remember", "-", "--json"], { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end("From a pipe.\n");
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ text: "From a pipe." });
  });
});

test("a file that an option names and that is not there is told with what to do", async () => {
  const { code, error } = await runCommand(["assemble", "What next?", "--system", "@nowhere.md"]);
  expect(code).toBe(3);
  expect(error).toContain("There is no file nowhere.md. [FILE_NOT_FOUND]");
  expect(error).toContain("Check its path, and that you may read it.");
});
