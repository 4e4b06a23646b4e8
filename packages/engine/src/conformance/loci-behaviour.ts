import { recordCalls, registerSuite, type TestApi } from "@loci/conformance";
import type { Loci, Principal } from "@loci/domain";
import { accountCases } from "./account-cases.ts";
import { assembleCases } from "./assemble-cases.ts";
import { type BehaviourFile, type BehaviourFixture, everything } from "./behaviour-case.ts";
import { blockContextCases } from "./block-context-cases.ts";
import { blockCases } from "./block-cases.ts";
import { blockEditCases } from "./block-edit-cases.ts";
import { blockErrorCases } from "./block-error-cases.ts";
import { blockModelCases } from "./block-model-cases.ts";
import { budgetCases } from "./budget-cases.ts";
import { callCases } from "./call-cases.ts";
import { captureCases } from "./capture-cases.ts";
import { captureWishCases } from "./capture-wish-cases.ts";
import { capturedTurnCases } from "./captured-turn-cases.ts";
import { outdatedTurnCases } from "./outdated-turn-cases.ts";
import { changeCases } from "./change-cases.ts";
import { conversationCases } from "./conversation-cases.ts";
import { exchangeCases } from "./exchange-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { knownAtCases } from "./known-at-cases.ts";
import { lociMethods } from "./loci-methods.ts";
import { listCases } from "./list-cases.ts";
import { memoryIdCases } from "./memory-id-cases.ts";
import { memoryKeyCases } from "./memory-key-cases.ts";
import { manyMemoriesCases } from "./many-memories-cases.ts";
import { memoryScopeCases } from "./memory-scope-cases.ts";
import { metadataCases } from "./metadata-cases.ts";
import { maintenanceCases } from "./maintenance-cases.ts";
import { oddValueCases } from "./odd-value-cases.ts";
import { recallCases } from "./recall-cases.ts";
import { receiptCases } from "./receipt-cases.ts";
import { rotationCases } from "./rotation-cases.ts";
import { sessionContextCases } from "./session-context-cases.ts";
import { sessionCases } from "./session-cases.ts";
import { statusCases } from "./status-cases.ts";
import { streamCases } from "./stream-cases.ts";
import { turnStateCases } from "./turn-state-cases.ts";
import { writeOnlyCases } from "./write-only-cases.ts";
import { rememberCases } from "./remember-cases.ts";
import { repeatCases } from "./repeat-cases.ts";

export interface LociBehaviourOptions {
  /** What is tested, such as `in process` or `over gRPC`. */
  readonly name: string;
  /** Opens an empty installation of its own for each case, which declares `behaviourMetadata` and keeps `behaviourReceipts`. */
  readonly open: () => Promise<BehaviourFixture>;
}

const files: readonly BehaviourFile[] = [
  rememberCases,
  repeatCases,
  changeCases,
  memoryKeyCases,
  listCases,
  manyMemoriesCases,
  memoryIdCases,
  memoryScopeCases,
  conversationCases,
  sessionCases,
  turnStateCases,
  sessionContextCases,
  captureCases,
  capturedTurnCases,
  captureWishCases,
  outdatedTurnCases,
  recallCases,
  knownAtCases,
  accountCases,
  rotationCases,
  metadataCases,
  assembleCases,
  receiptCases,
  budgetCases,
  blockCases,
  blockEditCases,
  blockErrorCases,
  blockModelCases,
  blockContextCases,
  isolationCases,
  writeOnlyCases,
  maintenanceCases,
  exchangeCases,
  streamCases,
  callCases,
  statusCases,
  oddValueCases,
];

/**
 * What every implementation of `Loci` does, in process or over the wire. Registers its tests with the given runner, and a
 * last one that fails when a method of the interface is covered by none of them.
 */
export function lociBehaviour(testApi: TestApi, { name, open }: LociBehaviourOptions): void {
  registerSuite(testApi, {
    name: `Loci ${name}`,
    methods: lociMethods,
    files,
    timeoutMilliseconds: 120_000,
    runCase: async (run) => {
      const called = new Set<string>();
      const fixture = await open();
      try {
        const as = async (principal: Partial<Principal>): Promise<Loci> =>
          recordCalls(await fixture.as({ ...everything, ...principal }), called, { isPart: () => true });
        await run({ loci: await as({}), as });
      } finally {
        await fixture.destroy();
      }
      return called;
    },
  });
}
