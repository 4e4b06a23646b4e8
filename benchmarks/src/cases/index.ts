import type { BenchmarkCase } from "../measure/benchmark-case.ts";
import { assembleWindow } from "./assemble-window.ts";
import { contextOfTalk } from "./context-of-talk.ts";
import { countKnownTokens, countTokens } from "./count-tokens.ts";
import { getInProcess, getOverGrpc, manyCallsToEcho, manyCallsToLoci } from "./grpc-calls.ts";
import { durableWrite, syncedAppend } from "./durable-write.ts";
import { fullWindows } from "./full-window.ts";
import { firstTurn, nextTurns, nextTurnsInProcess } from "./next-turn.ts";
import { recallMemories } from "./recall-memories.ts";

/** Everything that `npm run bench` measures, in the order of the table. */
export const benchmarkCases: readonly BenchmarkCase[] = [
  countTokens,
  countKnownTokens,
  assembleWindow,
  ...fullWindows,
  ...nextTurns,
  ...nextTurnsInProcess,
  firstTurn,
  recallMemories,
  contextOfTalk,
  syncedAppend,
  durableWrite,
  getInProcess,
  getOverGrpc,
  manyCallsToEcho,
  manyCallsToLoci,
];
