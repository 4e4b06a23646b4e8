import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexOwners } from "@loci/engine";
import { refuseFile, takeForMissing } from "../file-error.ts";
import type { IndexChoice } from "./index-choice.ts";
import { adapterOf } from "./open-indexes.ts";

const fileName = "server-id";

/**
 * Which indexes belong to this server alone, while others use the same ledger: those in its process or data directory. Words that
 * an adapter leaves to the ledger are in the database then, and everybody's.
 */
export function indexOwners(choice: IndexChoice, server: string): IndexOwners {
  const { vectors, text } = adapterOf(choice).ofEachServer;
  return { ...(vectors ? { vectors: server } : {}), ...(text === true ? { text: server } : {}) };
}

/** Tells a data directory from every other one. Made when it is asked for first. */
export function serverIdOf(directory: string): string {
  const path = join(directory, fileName);
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    takeForMissing(path, error);
  }
  try {
    const id = randomUUID();
    writeFileSync(path, `${id}\n`, { mode: 0o600 });
    return id;
  } catch (error) {
    refuseFile(path, error);
  }
}
