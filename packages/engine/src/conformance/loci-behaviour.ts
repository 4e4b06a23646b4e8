import type { Loci } from "@loci/domain";
import { assembleCases } from "./assemble-cases.ts";
import { type BehaviourCase, type BehaviourFixture, everything, type TestApi } from "./behaviour-case.ts";
import { blockContextCases } from "./block-context-cases.ts";
import { blockCases } from "./block-cases.ts";
import { blockEditCases } from "./block-edit-cases.ts";
import { blockErrorCases } from "./block-error-cases.ts";
import { blockModelCases } from "./block-model-cases.ts";
import { budgetCases } from "./budget-cases.ts";
import { callCases } from "./call-cases.ts";
import { captureCases } from "./capture-cases.ts";
import { changeCases } from "./change-cases.ts";
import { conversationCases } from "./conversation-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { knownAtCases } from "./known-at-cases.ts";
import { listCases } from "./list-cases.ts";
import { metadataCases } from "./metadata-cases.ts";
import { maintenanceCases } from "./maintenance-cases.ts";
import { oddValueCases } from "./odd-value-cases.ts";
import { recallCases } from "./recall-cases.ts";
import { rotationCases } from "./rotation-cases.ts";
import { sessionContextCases } from "./session-context-cases.ts";
import { sessionCases } from "./session-cases.ts";
import { turnStateCases } from "./turn-state-cases.ts";
import { rememberCases } from "./remember-cases.ts";
import { repeatCases } from "./repeat-cases.ts";

export interface LociBehaviourOptions {
  /** What is tested, such as `in process` or `over gRPC`. */
  readonly name: string;
  /** Opens an empty installation of its own for each case, which declares `behaviourMetadata`. */
  readonly open: () => Promise<BehaviourFixture>;
}

const caseTimeoutMilliseconds = 30_000;

/** Every method of `Loci`: the type makes sure that none is left out. */
const methods: readonly string[] = [
  ...Object.keys({
    remember: true,
    rememberMany: true,
    rememberConversation: true,
    get: true,
    list: true,
    update: true,
    forget: true,
    versions: true,
    restore: true,
    markUsed: true,
  } satisfies Record<keyof Loci["memories"], true>).map((name) => `memories.${name}`),
  ...Object.keys({
    create: true,
    get: true,
    list: true,
    close: true,
    reopen: true,
    delete: true,
    append: true,
    appendAndAssemble: true,
    turns: true,
    dailyLog: true,
  } satisfies Record<Exclude<keyof Loci["sessions"], "turnState">, true>).map((name) => `sessions.${name}`),
  ...Object.keys({
    load: true,
    save: true,
    merge: true,
    recordDecision: true,
    recordAction: true,
    markBlocked: true,
    isTerminal: true,
    summaryForContext: true,
  } satisfies Record<keyof Loci["sessions"]["turnState"], true>).map((name) => `sessions.turnState.${name}`),
  ...Object.keys({
    create: true,
    get: true,
    list: true,
    update: true,
    delete: true,
    history: true,
    diff: true,
    restore: true,
    propose: true,
    getEdit: true,
    listEdits: true,
    approve: true,
    reject: true,
    withdraw: true,
    promote: true,
    demote: true,
  } satisfies Record<Exclude<keyof Loci["blocks"], "schemas" | "profile">, true>).map((name) => `blocks.${name}`),
  ...Object.keys({ create: true, list: true, delete: true } satisfies Record<
    keyof Loci["blocks"]["schemas"],
    true
  >).map((name) => `blocks.schemas.${name}`),
  ...Object.keys({ update: true, summary: true, searchArchival: true } satisfies Record<
    keyof Loci["blocks"]["profile"],
    true
  >).map((name) => `blocks.profile.${name}`),
  ...Object.keys({
    start: true,
    get: true,
    wait: true,
    list: true,
    cancel: true,
    undo: true,
    replay: true,
    recordPostMortem: true,
    evidence: true,
  } satisfies Record<Exclude<keyof Loci["captures"], "reviews">, true>).map((name) => `captures.${name}`),
  ...Object.keys({ list: true, decide: true } satisfies Record<keyof Loci["captures"]["reviews"], true>).map(
    (name) => `captures.reviews.${name}`,
  ),
  ...Object.keys({ count: true } satisfies Record<keyof Loci["tokens"], true>).map((name) => `tokens.${name}`),
  ...Object.keys({ check: true, enforce: true, record: true, totals: true, trim: true } satisfies Record<
    keyof Loci["budget"],
    true
  >).map((name) => `budget.${name}`),
  ...Object.keys({
    run: true,
    reindex: true,
    verify: true,
    expire: true,
    prune: true,
    compact: true,
    reweigh: true,
    review: true,
    backup: true,
    erase: true,
    exportMemories: true,
    importMemories: true,
  } satisfies Record<keyof Loci["maintenance"], true>).map((name) => `maintenance.${name}`),
  ...Object.keys({ recall: true, assemble: true, settled: true, close: true } satisfies Record<
    Exclude<keyof Loci, "memories" | "blocks" | "sessions" | "captures" | "tokens" | "budget" | "maintenance" | symbol>,
    true
  >),
];

/**
 * What every implementation of `Loci` does, in process or over the wire. Registers its tests with the given runner, and a
 * last one that fails when a method of the interface was called by none of them.
 */
export function lociBehaviour(testApi: TestApi, { name, open }: LociBehaviourOptions): void {
  const called = new Set<string>();
  const cases: readonly BehaviourCase[] = [
    ...rememberCases,
    ...repeatCases,
    ...changeCases,
    ...listCases,
    ...conversationCases,
    ...sessionCases,
    ...turnStateCases,
    ...sessionContextCases,
    ...captureCases,
    ...recallCases,
    ...knownAtCases,
    ...rotationCases,
    ...metadataCases,
    ...assembleCases,
    ...budgetCases,
    ...blockCases,
    ...blockEditCases,
    ...blockErrorCases,
    ...blockModelCases,
    ...blockContextCases,
    ...isolationCases,
    ...maintenanceCases,
    ...callCases,
    ...oddValueCases,
  ];
  testApi.describe(`Loci ${name}`, () => {
    for (const { name: caseName, run } of cases)
      testApi.test(
        caseName,
        async () => {
          const fixture = await open();
          try {
            const as = async (principal: Partial<typeof everything>): Promise<Loci> =>
              recordCalls(await fixture.as({ ...everything, ...principal }), called);
            await run({ loci: await as({}), as });
          } finally {
            await fixture.destroy();
          }
        },
        caseTimeoutMilliseconds,
      );
    testApi.test("the suite calls every method", async () => {
      const missing = methods.filter((method) => !called.has(method));
      if (missing.length > 0) throw new Error(`No case calls ${missing.join(", ")}.`);
    });
  });
}

/** Notes which methods are called, one level of nesting included. */
function recordCalls<Target extends object>(target: Target, called: Set<string>, prefix = ""): Target {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object);
      const path = prefix + String(property);
      if (typeof value === "function")
        return (...values: readonly unknown[]): unknown => {
          called.add(path);
          return Reflect.apply(value, object, values);
        };
      return typeof value === "object" && value !== null ? recordCalls(value, called, `${path}.`) : value;
    },
  });
}
