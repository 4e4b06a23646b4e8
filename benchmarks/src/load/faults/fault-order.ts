import {
  crashDatabase,
  cutConnections,
  lockTables,
  restartDatabase,
  takeConnections,
  timeOutStatements,
} from "./database-faults.ts";
import type { Fault } from "./fault.ts";
import { killInMove, killServer, killWorker, restartServer, stopServer, stopWorker } from "./server-faults.ts";

const between: readonly Fault[] = [
  stopServer,
  killInMove,
  crashDatabase,
  takeConnections,
  killWorker,
  killInMove,
  lockTables,
  cutConnections,
  restartDatabase,
  timeOutStatements,
  stopWorker,
  restartServer,
  killWorker,
];

/** Every second one has a kill of a server before it. */
export const allFaults: readonly Fault[] = between.flatMap((fault, place) =>
  place % 2 === 0 ? [killServer, fault] : [fault],
);
