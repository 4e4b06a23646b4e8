import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeptSession, Turn } from "@loci/loci";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const scope = ["--scope", "project:ferries"];
let folder: string;
let file: string;

const messages = [
  { role: "user", content: "When does the ferry leave?\nI pay with 4539 5787 6362 1486." },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "timetable", arguments: '{"to":"Oslo"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "09:00" },
  { role: "tool", tool_call_id: "nobody's", content: "10:00" },
  { role: "assistant", content: "At nine.\u001b[2J" },
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-sessions-"));
  file = join(folder, "ferry talk.json");
  writeFileSync(file, JSON.stringify(messages));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function said(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await runCommand(["sessions", ...words, ...scope]);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return out;
}

async function json<Value>(...words: readonly string[]): Promise<Value> {
  return JSON.parse(await said(...words, "--json")) as Value;
}

describe("loci sessions", () => {
  test("a transcript becomes a session, with a report of what was left out and why", async () => {
    const report = await said("import", file, "--agent", "clerk");
    expect(report).toContain("(openai) into project:ferries: 1 session (1 new), 4 turns appended.");
    expect(report).toContain('when it is closed: loci sessions close "ferry talk" --scope project:ferries\n');
    expect(report).toContain("left out: 1 × RESULT_WITHOUT_CALL, answers no call of the turn before it (at 4)");
    const again = await said("import", file);
    expect(again).toContain("1 session (1 unchanged), 0 turns appended.");
    expect(again).not.toContain("when it is closed");
    writeFileSync(file, JSON.stringify([...messages, { role: "user", content: "Thanks." }]));
    expect(await said("import", file, "--close")).toContain("(1 continued), 1 turn appended.");
    writeFileSync(file, JSON.stringify([{ role: "user", content: "Something else." }]));
    expect(await said("import", file)).toContain("ferry talk holds other turns and was left as it is.");
    const { sessions } = await json<{ sessions: KeptSession[] }>("list");
    expect(sessions).toMatchObject([{ id: "ferry talk", agent: "clerk", lastTurn: 5, state: "closed" }]);
  });

  test("what becomes of secrets is as the variables say that a server reads", async () => {
    vi.stubEnv("LOCI_DETECTION_CARD", "keep");
    const { code, error } = await runCommand(["sessions", "import", file, ...scope]);
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining("LOCI_DETECTION_CARD is not one of refuse"),
    });
    vi.stubEnv("LOCI_DETECTION_CARD", "allow");
    await said("import", file);
    expect(await said("show", "ferry talk")).toContain("4539 5787 6362 1486");
  });

  test("a context is assembled of a session and of blocks", async () => {
    await said("import", file);
    const created = await runCommand([
      "blocks",
      "create",
      "persona",
      "--scope",
      "agent:clerk",
      "--preset",
      "assistant",
    ]);
    expect(created.code).toBe(0);
    const whose = ["--turns-of", "ferry talk", "--block-owner", "agent:clerk"];
    const { out, error } = await runCommand(["assemble", "And back?", ...scope, ...whose]);
    // It may be the first of its scope.
    expect(error).not.toContain("nothing is stored");
    expect(out).toContain("When does the ferry leave?");
    expect(out).toContain("General-purpose AI assistant");
    expect(out.indexOf("And back?")).toBeGreaterThan(out.indexOf("At nine."));
  });

  test("sessions are listed, shown and told of by day", async () => {
    await said("import", file);
    expect(await said("list")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}open +4 turns {2}ferry talk\n$/);
    expect(await said("list", "--state", "closed")).toContain("No sessions in project:ferries.");
    const shown = await said("show", "ferry talk");
    expect(shown).toContain("state     open, 4 turns");
    expect(shown).toMatch(/#1 user .*\n {2}When does the ferry leave\?\n {2}I pay with \[redacted: card\]\./);
    expect(shown).toContain('  → timetable({"to":"Oslo"})');
    // What was said cannot steer the terminal.
    expect(shown).toContain("At nine.\\u{1b}[2J");
    expect(await said("show", "ferry talk", "--limit", "1")).toContain("… 3 more: --from 2");
    const { turns } = await json<{ turns: Turn[] }>("tail", "ferry talk", "--lines", "2");
    expect(turns.map(({ number }) => number)).toEqual([3, 4]);
    expect(await said("daily", "--zone", "UTC")).toMatch(/^- \d\d:\d\d ferry talk: 4 turns\n$/);
    expect(await said("daily", "2026-01-01")).toContain("Nothing was said on 2026-01-01 in project:ferries.");
  });

  test("the days of a session's context are those of a zone", async () => {
    const at = "2026-03-01T23:30:00Z";
    writeFileSync(file, JSON.stringify([{ role: "user", content: "Late.", timestamp: at }]));
    await said("import", file);
    const turnsOf = ["--turns-of", "ferry talk", "--layout", "layeredFiles", "--evaluation-time", at];
    const daysIn = async (zone: string): Promise<string | undefined> => {
      const { code, out } = await runCommand(["assemble", "And back?", ...turnsOf, "--zone", zone, ...scope]);
      expect(code).toBe(0);
      return /### (\d{4}-\d\d-\d\d)\n- (\d\d:\d\d) ferry talk/.exec(out)?.slice(1).join(" ");
    };
    expect(await daysIn("UTC")).toBe("2026-03-01 23:30");
    expect(await daysIn("Europe/Berlin")).toBe("2026-03-02 00:30");
  });

  test("what was talked about is written as files of an agent's folder", async () => {
    await said("import", file);
    const to = ["--to", join(folder, "agent"), "--zone", "UTC"];
    expect(await said("daily", ...to)).toMatch(/agent: daily\/yyyy-mm-dd\.md\n {2}written: \d{4}-\d\d-\d\d\n$/);
    expect(await said("daily", ...to)).toMatch(/ {2}as they should be: \d{4}-\d\d-\d\d\n$/);
    const { out } = await runCommand([
      "assemble",
      "And back?",
      "--layout",
      "layeredFiles",
      "--files",
      join(folder, "agent"),
      ...scope,
    ]);
    expect(out).toMatch(/### \d{4}-\d\d-\d\d\n- \d\d:\d\d ferry talk: 4 turns/);
    const { code, error } = await runCommand(["sessions", "daily", "--days", "3", ...scope]);
    expect(code).not.toBe(0);
    expect(error).toContain("nothing says where");
  });

  test("what is closed is captured before the command ends", async () => {
    const talk = [
      { role: "user", content: "I work at Corvid as a nurse." },
      { role: "user", content: "We decided to close on Mondays. Don't forget it!" },
    ];
    writeFileSync(file, JSON.stringify(talk));
    expect(await said("import", file, "--close")).toContain("2 memories made of");
    const report = await runCommand(["capture", "report", "ferry talk", ...scope]);
    expect(report.out).toContain("The user works at Corvid as a nurse.");
    const { out } = await runCommand(["memories", "list", ...scope]);
    expect(out).toContain("close on Mondays");
    const off = ["--capture", "off"];
    writeFileSync(join(folder, "quiet.json"), JSON.stringify(talk));
    expect(await said("import", join(folder, "quiet.json"), "--close", ...off)).not.toContain("made of");
  });

  test("sessions are closed, opened again and deleted", async () => {
    await said("import", file);
    expect(await said("close", "ferry talk")).toBe(
      "Closed: ferry talk, 4 turns\n" +
        '  0 memories made of 2 statements: loci capture report "ferry talk" --scope project:ferries\n',
    );
    expect(await json<KeptSession>("reopen", "ferry talk")).toMatchObject({ state: "open" });
    expect(await said("state", "ferry talk")).toBe("Nothing was saved yet.\n");
    expect(await said("delete", "ferry talk")).toBe("Deleted: ferry talk\n");
    const { code, error } = await runCommand(["sessions", "show", "ferry talk", ...scope]);
    expect(code).not.toBe(0);
    expect(error).toContain('There is no session "ferry talk" in project:ferries.');
  });
});
