import { type CaseFile, type KnownFailures, registerSuite, type TestApi } from "@loci/conformance";
import type { Loci } from "@loci/domain";
import type { AgentDriver } from "./agent-driver.ts";
import { failingConversations } from "./conversations/failing.ts";
import { hostileConversations } from "./conversations/hostile.ts";
import { plainConversations } from "./conversations/plain.ts";
import { repeatedConversations } from "./conversations/repeated.ts";
import { severalConversations } from "./conversations/several.ts";
import { toolConversations } from "./conversations/tools.ts";
import type { Happening } from "./happening.ts";
import { PlayedConversation } from "./played-conversation.ts";
import type { ToldConversation } from "./told-conversation.ts";

export interface AgentConformanceOptions<History> {
  readonly driver: AgentDriver<History>;
  /** An open Loci. Every conversation has users of its own. */
  readonly loci: () => Loci;
  readonly knownFailures?: KnownFailures | undefined;
}

/** By what they have in common; each has to happen among them. */
const conversations: readonly (readonly [readonly Happening[], readonly ToldConversation[]])[] = [
  [["answer", "stream", "image"], plainConversations],
  [["tool"], toolConversations],
  [["failure", "stop", "silent loci", "nobody speaks"], failingConversations],
  [["repetition", "restart"], repeatedConversations],
  [["at once"], severalConversations],
  [["answer"], hostileConversations],
];

/** All conversations, for adapters in other languages. */
export const toldConversations: readonly ToldConversation[] = conversations.flatMap(([, told]) => told);

/** What an adapter is played: all of it has to happen in some conversation. */
const happenings: Readonly<Record<Happening, true>> = {
  answer: true,
  stream: true,
  tool: true,
  image: true,
  failure: true,
  stop: true,
  repetition: true,
  restart: true,
  "silent loci": true,
  "nobody speaks": true,
  "at once": true,
};

/**
 * Registers the conversations that every adapter for an agents' framework passes. In each, every call of the model is shown the same:
 * what `AgentMemory` recalls, first in the latest message of the user and nowhere else, and everything else as it was said; each
 * question is recalled for once; and what was answered is kept and captured, once.
 */
export function agentConformance<History>(
  testApi: TestApi,
  { driver, loci, knownFailures }: AgentConformanceOptions<History>,
): void {
  registerSuite<Happening, (told: ToldConversation) => Promise<void>>(testApi, {
    name: `agent ${driver.name}`,
    methods: happenings,
    files: conversations.map(([covers, told]) => casesOf(covers, told)),
    knownFailures,
    timeoutMilliseconds: 60_000,
    runCase: async (run) => {
      const happened = new Set<Happening>();
      await run((told) => new PlayedConversation(driver, loci(), told, happened).play());
      return happened;
    },
  });
}

function casesOf(
  covers: readonly Happening[],
  conversations: readonly ToldConversation[],
): CaseFile<Happening, (told: ToldConversation) => Promise<void>> {
  return { covers, cases: conversations.map((told) => ({ name: told.name, run: (play) => play(told) })) };
}
