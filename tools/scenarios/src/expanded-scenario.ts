import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repetition = /\$\{(\d+) times:([^}]*)\}/g;

/** The scenario as programs get it. */
export interface ExpandedScenario extends Disposable {
  readonly file: string;
}

/** Writes a scenario file whose `${1000 times:text}` stand there in full: large texts would make the file unreadable. */
export function expandScenario(file: string): ExpandedScenario {
  const folder = mkdtempSync(join(tmpdir(), "loci-scenario-file-"));
  const expanded = join(folder, "scenarios.jsonl");
  const text = readFileSync(file, "utf8");
  writeFileSync(
    expanded,
    text.replaceAll(repetition, (_, times: string, repeated: string) => repeated.repeat(Number(times))),
  );
  return { file: expanded, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
