import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { makeDirectories } from "@loci/ledger-sqlite";
import { refuseFile } from "../file-error.ts";
import { type DirectoryDivision, divisionFile, formatDivision } from "./directory-division.ts";

/** Writes how a directory is divided: all of it or nothing, also when the power fails. */
export function writeDivision(dataDirectory: string, division: DirectoryDivision): void {
  const path = divisionFile(dataDirectory);
  const draft = `${path}.draft`;
  try {
    makeDirectories(dataDirectory);
    rmSync(draft, { force: true });
    writeFileSync(draft, formatDivision(division), { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
    syncFolder(dataDirectory);
  } catch (error) {
    refuseFile(path, error);
  }
}

/** Says that a directory is whole again. */
export function removeDivision(dataDirectory: string): void {
  rmSync(divisionFile(dataDirectory), { force: true });
  syncFolder(dataDirectory);
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
