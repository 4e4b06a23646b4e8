import type { Loci, ScopeInput } from "@loci/loci";
import { manyTexts } from "./many-texts.ts";

/** A call with a hostile text in one of its fields. */
export interface HostileCall {
  readonly name: string;
  readonly run: (loci: Loci) => Promise<unknown>;
}

const scope: ScopeInput = "user:mallory";

/** What takes longest to read, for each kind of reader there is. @param bytes of UTF-8, about */
export function hostileTexts(bytes: number): Readonly<Record<string, string>> {
  const repeated = (piece: string, after = ""): string =>
    piece.repeat(Math.floor((bytes - after.length) / Buffer.byteLength(piece))) + after;
  const words = (length: number, separator: string): string =>
    Array.from({ length: Math.floor(bytes / length) }, (_, index) => index.toString(36).padStart(length - 1, "q")).join(
      separator,
    );
  return {
    "question marks": repeated("?", "x"),
    "a bracket and white space": `deploy schedule [${repeated(" ")}`,
    "combining marks": `a${repeated("\u0301\u0316")}`,
    "list markers": repeated("* ", "x"),
    "nested quotes": repeated("> "),
    emphasis: repeated("*a_ "),
    "distinct words": words(7, " "),
    "one long path": words(4, "/"),
    sentences: repeated("Is the deploy of service qz on Thursday? "),
    ideographs: Array.from({ length: bytes / 3 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join(
      "",
    ),
    "fences of every length": Array.from({ length: Math.sqrt(2 * bytes) }, (_, index) => "`".repeat(index + 3))
      .toReversed()
      .join("\n"),
    "openers of tags": repeated("<"),
    "speakers without end": repeated("Human "),
    "emoji and joiners": repeated("👩‍"),
    "one word": repeated("a"),
  };
}

let sessionCount = 0;

/** Every call that takes a text, with the text in each of the fields that may hold one as long. */
export function hostileCalls(kind: string, text: string): readonly HostileCall[] {
  const stored = Buffer.from(text).subarray(0, 64_000).toString("utf8").replaceAll("\uFFFD", "").replaceAll("\0", "");
  const recall = { scopes: [scope] };
  const said = [
    { role: "user", content: text },
    { role: "assistant", content: text },
    { role: "user", content: "When do we deploy?" },
  ] as const;
  const calls: Record<string, HostileCall["run"]> = {
    "recall query": (loci) => loci.recall({ query: text, ...recall }),
    "remember text": (loci) => loci.memories.remember({ text: stored, scope }),
    "recall of what is stored": (loci) =>
      loci.recall({ query: "deploy schedule service x a q", ...recall, explain: true }),
    "assemble query": (loci) => loci.assemble({ query: text, model: "gpt-4o", recall }),
    "assemble system": (loci) => loci.assemble({ query: "deploy?", system: text, model: "gpt-4o", recall }),
    "assemble task": (loci) => loci.assemble({ query: "deploy?", task: text, project: text, model: "gpt-4o", recall }),
    "assemble messages": (loci) => loci.assemble({ query: "deploy?", messages: said, model: "gpt-4o", recall }),
    "assemble what is stored": (loci) => loci.assemble({ query: "deploy schedule x", model: "gpt-4o", recall }),
    "assemble in Markdown": (loci) =>
      loci.assemble({ layout: "layeredFiles", query: "deploy schedule x", messages: said, model: "gpt-4o", recall }),
    "count text": (loci) => loci.tokens.count({ text, model: "gpt-4o" }),
    "trim messages": (loci) => loci.budget.trim({ messages: said, maxTokens: 1000 }),
    "enforce messages": (loci) => loci.budget.enforce({ messages: said, maxInputTokens: 1000 }),
    "conversation turn": (loci) =>
      loci.memories.rememberConversation({
        session: kind,
        scope,
        turns: [{ id: "1", speaker: "Mallory", content: stored.slice(0, 20_000), at: 1_700_000_000_000 }],
      }),
    "append turns": async ({ sessions }) => {
      const key = { scope, id: `${kind} ${++sessionCount}` };
      await sessions.create({ ...key, title: text.slice(0, 300).trim() });
      const turns = said.map((turn) => ({ ...turn, content: turn.content.repeat(4).slice(0, 80_000) }));
      await sessions.append(key, { expectedLast: 0, turns });
      await sessions.delete(key);
    },
    "turn state": async ({ sessions }) => {
      const key = { scope, id: `${kind} ${++sessionCount}` };
      await sessions.create(key);
      await sessions.turnState.markBlocked(key, text);
      const { state } = await sessions.turnState.load(key);
      await sessions.turnState.save(key, {
        ...state,
        taskDescription: stored,
        verifiedFacts: [{ key: "k", value: stored }],
      });
      await sessions.turnState.summaryForContext(key);
      await sessions.delete(key);
    },
  };
  // Some seconds a round: the two kinds that take longest.
  if (["combining marks", "ideographs"].includes(kind))
    for (const [name, call] of Object.entries(manyTexts))
      calls[`60 texts, ${name}`] = (loci) => call(loci, stored.slice(0, 60_000), 60);
  // Looks at every text there is: once a round is enough.
  if (kind === "sentences")
    calls["recall of what was known"] = (loci) => loci.recall({ query: text, ...recall, knownAt: Date.now() });
  return Object.entries(calls).map(([name, run]) => ({ name: `${name}: ${kind}`, run }));
}
