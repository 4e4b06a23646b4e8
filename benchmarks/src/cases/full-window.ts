import {
  assembleContext,
  type AssemblyInput,
  HistoryCache,
  loadTokenCounter,
  planWindow,
  resolveModel,
  TokenCountCache,
  type WindowPlan,
  WrittenMemories,
} from "@loci/core";
import { type FullWindow, fullWindow } from "../data/full-window.ts";
import type { BenchmarkCase, OpenCase } from "../measure/benchmark-case.ts";

const publishedClaim = "< 20 ms";

/** What an application keeps from one assembly to the next. */
function kept(): Pick<AssemblyInput, "counts" | "conversations" | "written"> {
  return { counts: new TokenCountCache(), conversations: new HistoryCache(), written: new WrittenMemories() };
}

/** With what the assembly before has left: nothing in it is new. */
function counted(plan: WindowPlan): Promise<OpenCase> {
  const known = kept();
  return open(plan, (window) => assembleContext({ ...window, ...known }));
}

async function open(plan: WindowPlan, run: (window: FullWindow) => unknown): Promise<OpenCase> {
  const window = fullWindow(plan, await loadTokenCounter("o200k_base"));
  return { run: () => run(window), [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** More than fits in every section, memories included; what recall takes is measured elsewhere. */
export const fullWindows: readonly BenchmarkCase[] = [
  {
    name: "assemble-8k-full",
    description: "Assemble an 8K window, every section over-full, whose counts are known",
    target: { p50: 1000, p99: 5000 },
    publishedClaim,
    open: () => counted(planWindow({ resolved: resolveModel("gpt-4") })),
  },
  {
    name: "assemble-8k-new",
    description: "Assemble an 8K window, every section over-full, nothing of which was seen before",
    target: { p50: 6000 },
    publishedClaim,
    open: () =>
      open(planWindow({ resolved: resolveModel("gpt-4") }), (window) => assembleContext({ ...window, ...kept() })),
  },
  {
    name: "assemble-128k-full",
    description:
      "Assemble the whole 128,000 tokens of a model's window, every section over-full, whose counts are known",
    target: { p50: 10_000 },
    publishedClaim,
    open: () => counted(planWindow({ resolved: resolveModel("gpt-4-turbo"), overrides: { fillWindow: true } })),
  },
];
