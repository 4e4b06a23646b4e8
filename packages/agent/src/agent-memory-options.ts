import type { Loci } from "@loci/domain";
import type { Conversation } from "./conversation.ts";
import type { BlockRecall } from "./recalled-block.ts";

/** Where something failed: before the model was called, or while what was said was kept. */
export type AgentMemoryStage = "recall" | "capture";

/** What every adapter takes. `Request` is what its framework tells of a call. */
export interface AgentMemoryOptions<Request> {
  readonly loci: Loci;
  /** Who speaks, in which conversation: always the same, or by the request. */
  readonly conversation:
    | Conversation
    | ((request: Request) => Conversation | undefined | Promise<Conversation | undefined>);
  /** What stands in the block before a question. */
  readonly recall?: BlockRecall | undefined;
  /**
   * Whether memories are made of what is said. False: a session that is begun keeps its turns, and nothing is learnt of them. A
   * session that is there already is captured as it says itself. Default true.
   */
  readonly capture?: boolean | undefined;
  /** Whether the call fails when nothing could be recalled because Loci failed. Default false: it goes on without. */
  readonly required?: boolean | undefined;
  /** How long a recall may take. Default 2,000. */
  readonly recallTimeoutMilliseconds?: number | undefined;
  /** Is given what runs in the background: for platforms that stop a process once it has answered. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** Is told what failed. Default: a warning on the console, which quotes nothing. */
  readonly onError?: ((error: Error, stage: AgentMemoryStage) => void) | undefined;
}
