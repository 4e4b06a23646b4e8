import {
  crashDatabase,
  cutConnections,
  lockTables,
  restartDatabase,
  takeConnections,
  timeOutStatements,
} from "./database-faults.ts";
import type { Fault } from "./fault.ts";
import { killServer, killWorker, restartServer, stopServer } from "./server-faults.ts";

const between: readonly Fault[] = [
  stopServer,
  crashDatabase,
  takeConnections,
  killWorker,
  lockTables,
  cutConnections,
  restartDatabase,
  timeOutStatements,
  restartServer,
  killWorker,
];

/** Every third one is a kill of a server; all others come in between. */
export const allFaults: readonly Fault[] = between.flatMap((fault, place) =>
  place % 2 === 0 ? [killServer, fault] : [fault],
);
