import { renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a note that nobody but the user of this process can read, whole or not at all.
 *
 * @returns takes the note away again
 */
export function writeNote(path: string, note: unknown): () => void {
  const draft = `${path}.${process.pid}`;
  // A mode counts for a file that is made only, and "wx" follows no link: what was left under this name goes first.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    // Such as on a full disk, where it would be left with nothing in it.
    rmSync(draft, { force: true });
    throw error;
  }
  return () => rmSync(path, { force: true });
}
