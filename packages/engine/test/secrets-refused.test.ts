import { type Principal, roles, tenantId } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
let opened: TestEngine;

function admin(tenant: string): Principal {
  return { tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] };
}

beforeEach(async () => {
  opened = await TestEngine.open();
});
afterEach(() => opened[Symbol.asyncDispose]());

test.for(["capture", "correction", "post_mortem", "import"] as const)(
  "a secret of origin %s is refused by its class, and nothing is stored",
  async (origin) => {
    const { memories } = opened.loci;
    const input = { text: `The token is ${token}`, scope: "user:a", origin } as const;
    const calls = [memories.remember(input), memories.rememberMany([{ ...input, text: "Tea" }, input])];
    for (const call of await Promise.allSettled(calls)) {
      const refusal: unknown = call.status === "rejected" ? call.reason : call;
      expect(refusal).toMatchObject({ reason: "SECRET_REFUSED" });
      expect(String(refusal)).not.toContain(token);
    }
    expect((await memories.list({ scopes: ["user:a"] })).memories).toEqual([]);
  },
);

test("what becomes of it is the deployment's to say, class by class", async () => {
  await using other = await TestEngine.open({
    detection: { token: "allow", phone: "allow", iban: "redact", card: "quarantine" },
  });
  const { memories, sessions, captures } = other.loci;
  const imported = { text: `The token is ${token}`, scope: "user:a", origin: "import" } as const;
  expect((await memories.remember(imported)).text).toBe(imported.text);
  const key = { scope: "user:a", id: "s" } as const;
  await sessions.create({ ...key, capture: "off" });
  const said = [
    "My phone number is +44 20 7946 0958.",
    "I pay rent to DE02 1002 0030 4711 0821 94 on the first of each month.",
    "I always pay for my train tickets with the card 4539 5787 6362 1486.",
    "My password is 8fK!q2Lp9z and I work at Corvid.",
  ];
  const turns = said.map((content, index) => ({ role: "user", content, at: 1_000 + index }) as const);
  await sessions.append(key, { expectedLast: 0, turns });
  const kept = await sessions.turns(key);
  // Turns are as they were said, but for what is refused.
  expect(kept.turns.map(({ content }) => content)).toEqual([
    ...said.slice(0, 3),
    "My password is [redacted: password] and I work at Corvid.",
  ]);
  const { id } = await captures.start({ session: key });
  await captures.wait(id);
  // Who may not approve is not shown what waits.
  const { outcome } = await other.as({ roles: ["read", "approve"] }).captures.get(id);
  const found = (outcome?.candidates ?? []).map(({ text, state, reason }) => [text, state, reason]);
  expect(found[0]).toEqual(["The user's phone number is +44 20 7946 0958.", "active", null]);
  expect(found[1]).toEqual(["The user pays rent to [iban] on the first of each month.", "active", null]);
  expect(found[2]).toEqual([
    "The user always pays for the user's train tickets with the card 4539 5787 6362 1486.",
    "quarantined",
    "PERSONAL_DATA",
  ]);
  expect(found[3]?.slice(1)).toEqual(["rejected", "SECRET"]);
});

test.each([
  [{ fingerprint: "allow" }, "detection.fingerprint is no class that is looked for"],
  [{ email: "keep" }, 'detection.email is "keep", which is not one of refuse, redact, quarantine, allow'],
])("%j is no choice", async (detection, message) => {
  await expect(TestEngine.open({ detection: detection as never })).rejects.toThrow(message);
});

test("what a program gives is stored as given", async () => {
  const text = `The token is ${token}`;
  const stored = await opened.loci.memories.remember({ text, scope: "user:a" });
  expect(stored.text).toBe(text);
  expect(stored.warnings).toMatchObject([{ reason: "HOLDS_SECRET", message: expect.stringContaining("class token") }]);
  expect(JSON.stringify(stored.warnings)).not.toContain(token);
});

test("nothing is said of a class that is allowed, or of ways to reach a person", async () => {
  await using allowing = await TestEngine.open({ detection: { token: "allow" } });
  const { memories } = allowing.loci;
  const text = `The token is ${token}, and my mail is ann@corp-mail.com`;
  expect((await memories.remember({ text, scope: "user:a" })).warnings).toBeUndefined();
});

test("an imported memory cannot be changed to hold a secret; one that a person gave can", async () => {
  const { memories } = opened.loci;
  const imported = await memories.remember({ text: "Tea", scope: "user:a", origin: "import" });
  const patch = { text: `The token is ${token}` };
  const refusal = await memories.update(imported.id, patch, { etag: imported.etag }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ reason: "SECRET_REFUSED", field: "text" });
  expect(String(refusal)).not.toContain(token);
  expect((await memories.get(imported.id)).text).toBe("Tea");
  const given = await memories.remember({ text: "Coffee", scope: "user:a" });
  expect((await memories.update(given.id, patch, { etag: given.etag })).text).toBe(patch.text);
});

test("turns that are remembered keep their place without their secrets, and are known when they come again", async () => {
  const { memories } = opened.loci;
  const turns = [
    { id: "1", speaker: "Ann", content: `The token is ${token}, call +44 20 7946 0958.`, at: 1_000 },
    { id: "2", speaker: "Ben", content: "Thanks.", at: 2_000 },
  ];
  const first = await memories.rememberConversation({ session: "s", scope: "user:a", turns });
  expect(first.map(({ text }) => text)).toEqual([
    "Ann: The token is [redacted: token], call +44 20 7946 0958.",
    "Ben: Thanks.",
  ]);
  expect(await memories.rememberConversation({ session: "s", scope: "user:a", turns })).toEqual(first);
});

test("a session that keeps secrets keeps them in the memories of its turns", async () => {
  const { memories, sessions } = opened.loci;
  for (const keepSecrets of [true, false]) {
    const key = { scope: "user:a", id: `kept-${keepSecrets}` } as const;
    await sessions.create({ ...key, rememberTurns: true, keepSecrets });
    const turns = [{ role: "user", content: `The token is ${token}`, at: 1_000 } as const];
    await sessions.append(key, { expectedLast: 0, turns });
    const remembered = (await memories.list({ scopes: ["user:a"] })).memories.find(
      ({ provenance }) => provenance?.sourceId === `conversation:${key.id}`,
    );
    expect(remembered?.text.includes(token)).toBe(keepSecrets);
  }
});

test("an export comes back whole, with the secrets that were given, kept or allowed", async () => {
  await using allowing = await TestEngine.open({ detection: { token: "allow" } });
  const text = `The token is ${token}`;
  await allowing.loci.memories.remember({ text, scope: "user:a", origin: "import" });
  const { memories, sessions } = opened.loci;
  await memories.remember({ text: `${text}, said the program`, scope: "user:a" });
  const key = { scope: "user:a", id: "kept" } as const;
  await sessions.create({ ...key, rememberTurns: true, keepSecrets: true, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content: text, at: 1_000 }] });
  const exported = await Promise.all(
    [allowing, opened].map(({ engine }) => engine.for(admin("acme")).maintenance.exportMemories()),
  );
  const lines = exported.flatMap((page) => page.lines);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain(token);
  const target = opened.engine.for(admin("target"));
  expect(await target.maintenance.importMemories(lines)).toEqual({ imported: 3, unchanged: 0, erased: 0 });
  const textsOf = (all: readonly string[]): ReadonlySet<string> =>
    new Set(all.map((line) => (JSON.parse(line) as { text: string }).text));
  const back = (await target.maintenance.exportMemories()).lines;
  expect(back).toHaveLength(3);
  expect(textsOf(back)).toEqual(textsOf(lines));
});
