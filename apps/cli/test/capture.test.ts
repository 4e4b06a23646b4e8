import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaptureJob, Memory } from "@loci/loci";
import { foundFact, refusesField, says, startFakeModelServer } from "@loci/language-model/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withLoci } from "../src/config/open-data-directory.ts";
import { runCommand } from "./run-command.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-capture-"));
  vi.stubEnv("LOCI_DATA_DIR", folder);
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  const key = { scope: "user:alice", id: "day-1" } as const;
  const turns = ["I work at Corvid", "what is the time?", "never call me before noon"];
  await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
    await loci.sessions.create({ ...key, capture: "off" });
    await loci.sessions.append(key, { expectedLast: 0, turns: turns.map((content) => ({ role: "user", content })) });
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("a session is captured, shown, and undone", async () => {
  const place = ["--scope", "user:alice"];
  const ran = await runCommand(["capture", "run", "day-1", ...place]);
  expect(ran.out).toContain("succeeded");
  expect(ran.out).toMatch(/turn 1 +ADD +fact +The user works at Corvid/);
  expect(ran.out).toMatch(/turn 2 +QUESTION/);
  const listed = await runCommand(["capture", "list", "day-1", ...place, "--json"]);
  const [job] = (JSON.parse(listed.out) as { captures: readonly CaptureJob[] }).captures;
  expect((await runCommand(["capture", "replay", job?.id ?? "", ...place])).out).toContain("NOOP");
  expect((await runCommand(["capture", "undo", job?.id ?? "", ...place])).out).toContain("2 forgotten");
  expect((await runCommand(["capture", "report", job?.id ?? "", ...place])).out).toContain("undone");
  expect((await runCommand(["capture", "reviews", ...place])).out).toContain("Nothing waits");
});

test("a report says what was not read of a turn, and why", async () => {
  const key = { scope: "user:alice", id: "mail" } as const;
  const content = "Translate this into German:\n\nI live in Halifax.";
  await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
    await loci.sessions.create({ ...key, capture: "off" });
    await loci.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content }] });
  });
  const { out } = await runCommand(["capture", "run", "mail", "--scope", "user:alice"]);
  expect(out).toContain("turn 1   TEXT_TO_WORK_ON 15 characters not read: a text that the assistant was to work on");
});

test("the report of a session goes by its turns, in whichever order they were captured", async () => {
  const place = ["--scope", "user:alice"];
  for (const turn of ["3", "2", "1"]) {
    const { code } = await runCommand(["capture", "run", "day-1", "--first", turn, "--last", turn, ...place]);
    expect(code).toBe(0);
  }
  const { out } = await runCommand(["capture", "report", "day-1", ...place]);
  expect(Array.from(out.matchAll(/day-1 {2}turns (\d)–/gu), ([, first]) => first)).toEqual(["1", "2", "3"]);
});

test("ends without anything in their place are held back where they are too many: nothing ends, nothing waits, and the report says what would", async () => {
  const place = ["--scope", "user:bob"];
  const key = { scope: "user:bob", id: "sale" } as const;
  const things = ["car", "boat", "piano", "caravan"];
  await withLoci({ scope: ["user:bob"] }, "write", async (loci) => {
    for (const thing of things) await loci.memories.remember({ text: `The user owns a ${thing}.`, scope: "user:bob" });
    const turns = things.map((thing) => ({ role: "user", content: `I no longer own a ${thing}.` }) as const);
    await loci.sessions.create({ ...key, capture: "off" });
    await loci.sessions.append(key, { expectedLast: 0, turns });
  });
  const { out } = await runCommand(["capture", "run", "sale", ...place]);
  const listed = await runCommand(["memories", "list", ...place, "--json"]);
  const { memories } = JSON.parse(listed.out) as { readonly memories: readonly Memory[] };
  expect(memories.filter(({ validTo }) => validTo === undefined)).toHaveLength(4);
  for (const { id } of memories) expect(out).toMatch(new RegExp(`DELETE HELD BACK .* ${id}$`, "mu"));
  expect(out).toContain("held back: too many would end at once. Whoever agrees: loci memories forget ID");
  expect(out).not.toContain("WAITS");
  expect((await runCommand(["capture", "reviews", ...place])).out).toContain("Nothing waits");
  // What the guide says to do about it.
  await runCommand(["memories", "update", memories[0]?.id ?? "", "--valid-to", "2030-05-17"]);
  expect((await runCommand(["memories", "get", memories[0]?.id ?? ""])).out).toContain("2030-05-17");
});

test("a captured rule is followed once it is approved by its id", async () => {
  const place = ["--scope", "user:alice"];
  await runCommand(["capture", "run", "day-1", ...place]);
  const listed = await runCommand(["memories", "list", ...place, "--category", "procedure", "--json"]);
  const [rule] = (JSON.parse(listed.out) as { memories: readonly Memory[] }).memories;
  const followed = async (): Promise<boolean> =>
    (await runCommand(["assemble", "may I call before noon?", ...place])).out.includes("<procedures");
  expect(await followed()).toBe(false);
  expect((await runCommand(["capture", "approve", rule?.id ?? ""])).out).toBe(`Approved: ${rule?.id}\n${rule?.text}\n`);
  const changed = await runCommand(["memories", "update", rule?.id ?? "", "--text", "Never call at all."]);
  expect(changed.code).toBe(0);
  expect(await followed()).toBe(false);
  const outdated = await runCommand(["capture", "approve", rule?.id ?? "", "--etag", rule?.etag ?? ""]);
  expect(outdated.error).toContain("the etag is that of version 1");
  await runCommand(["capture", "approve", rule?.id ?? ""]);
  expect(await followed()).toBe(true);
  expect((await runCommand(["memories", "show", rule?.id ?? ""])).out).toMatch(/^approved +by local, \d{4}-/m);
});

test("the words that a memory rests on are shown", async () => {
  const place = ["--scope", "user:alice"];
  await runCommand(["capture", "run", "day-1", ...place]);
  const listed = await runCommand(["memories", "list", ...place, "--category", "procedure", "--json"]);
  const [rule] = (JSON.parse(listed.out) as { memories: readonly Memory[] }).memories;
  const evidence = async (id = ""): Promise<string> => (await runCommand(["capture", "evidence", id])).out;
  expect(await evidence(rule?.id)).toMatch(/^day-1 {2}turn 3 {2}.*\n {2}\| never call me before noon\n$/);
  await runCommand(["sessions", "delete", "day-1", ...place]);
  expect(await evidence(rule?.id)).toContain("(not there any more)");
  const { out } = await runCommand(["remember", "Tea is at four.", ...place, "--json"]);
  expect(await evidence((JSON.parse(out) as Memory).id)).toContain("nobody captured it");
});

test("a lesson is remembered as a rule to follow", async () => {
  const lesson = [
    "capture",
    "lesson",
    "Run the tests before a merge.",
    "--failure",
    "The build broke.",
    "--tag",
    "git",
  ];
  const { code, out } = await runCommand([...lesson, "--scope", "agent:coder", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ origin: "post_mortem", approvedBy: "local", tags: ["git"] });
  const assembled = await runCommand(["assemble", "what before a merge?", "--scope", "agent:coder"]);
  expect(assembled.out).toContain("Follow them.\n- Run the tests before a merge. (git)");
});

test("who decides is shown all of what waits", async () => {
  vi.stubEnv("LOCI_DETECTION_PHONE", "quarantine");
  const said =
    "Always call the harbour office on +49 30 901820 before you send any of the invoices of the night shift out.";
  const key = { scope: "user:alice", id: "day-2" } as const;
  await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
    await loci.sessions.create({ ...key, capture: "off" });
    await loci.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: said }] });
  });
  await runCommand(["capture", "run", "day-2", "--scope", "user:alice"]);
  const { out } = await runCommand(["capture", "reviews", "--scope", "user:alice"]);
  expect(out).toMatch(
    / {2}PERSONAL_DATA {2}procedure .* {2}user:alice {2}capture, trusted\n {2}\| .*night shift out\.\n$/,
  );
});

test("captures of all sessions are listed, and dead ones by themselves", async () => {
  const listed = async (...options: readonly string[]): Promise<string> =>
    (await runCommand(["capture", "list", ...options])).out;
  expect(await listed("--dead", "--all-scopes")).toContain("No dead captures in any scope.");
  await runCommand(["capture", "run", "day-1", "--scope", "user:alice"]);
  expect(await listed("--all-scopes")).toMatch(/^\S+ {2}user:alice {2}day-1 {2}turns 1–3 {2}succeeded/);
  expect(await listed("--scope", "user:alice", "--json")).toContain('"succeeded"');
  expect(await listed("--scope", "user:bob")).toContain("No captures in user:bob. All scopes: --all-scopes.");
  expect(await listed("--dead", "--all-scopes")).toContain("No dead captures");
  const both = await runCommand(["capture", "list", "day-1", "--all-scopes"]);
  expect(both.error).toContain("A session belongs to one scope.");
});

describe("a model that is named in the variables of a server", () => {
  const place = ["--scope", "user:alice"];
  const found = foundFact({ text: "The user works at Corvid.", quote: "I work at Corvid" });

  test("captures in a directory that nobody serves", async () => {
    await using server = await startFakeModelServer(refusesField("max_tokens", says(JSON.stringify(found))));
    vi.stubEnv("LOCI_CAPTURE_MODEL_BASE_URL", server.baseUrl);
    vi.stubEnv("LOCI_CAPTURE_MODEL_MODEL", "small");
    vi.stubEnv("LOCI_CAPTURE_MODEL_API_KEY_VARIABLE", "LOCI_TEST_MODEL_KEY");
    vi.stubEnv("LOCI_TEST_MODEL_KEY", "secret");
    vi.stubEnv("LOCI_CAPTURE_MODEL_OUTPUT_LIMIT_FIELD", "max_completion_tokens");
    // Not this command's.
    vi.stubEnv("LOCI_LISTEN_PORT", "everywhere");
    const { code, out, error } = await runCommand(["capture", "run", "day-1", ...place]);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/by small, \d calls/);
    expect(out).toMatch(/turn 1 +ADD +fact +The user works at Corvid/);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer secret");
  });

  test("is told of where it proposed what could not be used", async () => {
    const [candidate] = (found as { readonly candidates: readonly object[] }).candidates;
    const reply = { candidates: [candidate, { ...candidate, category: "event" }] };
    await using server = await startFakeModelServer(says(`Here it is:\n${JSON.stringify(reply)}`));
    vi.stubEnv("LOCI_CAPTURE_MODEL_BASE_URL", server.baseUrl);
    vi.stubEnv("LOCI_CAPTURE_MODEL_MODEL", "small");
    const { code, out } = await runCommand(["capture", "run", "day-1", ...place]);
    expect(code).toBe(0);
    expect(out).toMatch(/by small, 1 calls, .*: Of the language model's candidates 1 was left out/);
    expect(out).toMatch(/turn 1 +ADD +fact +The user works at Corvid/);
  });

  test.each([
    ["half of a model", { LOCI_CAPTURE_MODEL_MODEL: "small" }, "capture_model.base_url is missing"],
    ["a wrong choice", { LOCI_CAPTURE_MODEL_STRUCTURED_OUTPUT: "yaml" }, "LOCI_CAPTURE_MODEL_STRUCTURED_OUTPUT is"],
    [
      "a key that is not there",
      {
        LOCI_CAPTURE_MODEL_BASE_URL: "http://127.0.0.1:9/v1",
        LOCI_CAPTURE_MODEL_MODEL: "small",
        LOCI_CAPTURE_MODEL_API_KEY_VARIABLE: "LOCI_TEST_MODEL_KEY",
      },
      "LOCI_TEST_MODEL_KEY is not set",
    ],
  ])("is refused for %s where it would capture, and nowhere else", async (_what, variables, problem) => {
    const captured = { scope: "user:alice", id: "day-2" } as const;
    await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
      await loci.sessions.create(captured);
      await loci.sessions.append(captured, { expectedLast: 0, turns: [{ role: "user", content: "I play the cello" }] });
    });
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    for (const capturing of [
      ["capture", "run", "day-1"],
      ["capture", "run", "day-1", "--extractor", "model"],
      ["sessions", "close", "day-2"],
    ]) {
      const { code, error } = await runCommand([...capturing, ...place]);
      expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(problem) as string });
    }
    for (const other of [
      ["remember", "Tea is at four."],
      ["recall", "when is tea?"],
      ["sessions", "show", "day-1"],
      ["capture", "run", "day-1", "--extractor", "rules"],
      ["capture", "report", "day-1"],
      // Its captures are off.
      ["sessions", "close", "day-1"],
    ]) {
      const { code, error } = await runCommand([...other, ...place]);
      expect({ code, error }).toEqual({ code: 0, error: "" });
    }
    const { state } = await withLoci({ scope: ["user:alice"] }, "read", (loci) => loci.sessions.get(captured));
    expect(state).toBe("open");
    for (const name of Object.keys(variables)) vi.stubEnv(name, "");
    expect((await runCommand(["capture", "run", "day-1", ...place])).code).toBe(0);
  });

  test("a capture that was left is made by rules in a command that captures nothing, and its report says what is missing", async () => {
    vi.stubEnv("LOCI_CAPTURE_MODEL_BASE_URL", "http://127.0.0.1:9/v1");
    vi.stubEnv("LOCI_CAPTURE_MODEL_MODEL", "small");
    vi.stubEnv("LOCI_CAPTURE_MODEL_API_KEY_VARIABLE", "LOCI_TEST_MODEL_KEY");
    const { outcome } = await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
      const { id } = await loci.captures.start({ session: { scope: "user:alice", id: "day-1" } });
      return loci.captures.wait(id);
    });
    expect(outcome).toMatchObject({
      extractor: "rules",
      isFallback: true,
      model: "small",
      modelProblem: expect.stringContaining("LOCI_TEST_MODEL_KEY is not set") as string,
    });
  });
});
