import {
  authorize,
  checkList,
  globalScope,
  type ImportRecordsReport,
  type ImportReport,
  type Scope,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import type { BlockServices } from "../blocks/block-services.ts";
import { maxLines, type ReadLine, readLine } from "./exported-line.ts";
import { importBlocks } from "./import-blocks.ts";
import { importCaptures } from "./import-captures.ts";
import { readMemories, scopesOfMemories, storeMemories } from "./import-memories.ts";
import { importSchemas } from "./import-schemas.ts";
import { importSessions } from "./import-sessions.ts";
import { inLine, LineResults } from "./line-results.ts";
import {
  type BlockLine,
  type EditLine,
  readBlockLine,
  readEditLine,
  readSchemaLine,
  type SchemaLine,
} from "./read-block-lines.ts";
import { type CaptureLine, readCaptureLine } from "./read-capture-line.ts";
import { type EvidenceLine, readEvidenceLine } from "./read-evidence-line.ts";
import {
  readSessionLine,
  readTurnLine,
  readTurnStateLine,
  type SessionLine,
  type TurnLine,
  type TurnStateLine,
} from "./read-session-lines.ts";

type OtherLine =
  | SchemaLine
  | BlockLine
  | EditLine
  | SessionLine
  | TurnLine
  | TurnStateLine
  | CaptureLine
  | EvidenceLine;

const readers: Readonly<Record<OtherLine["type"], (line: ReadLine) => OtherLine>> = {
  blockSchema: readSchemaLine,
  block: readBlockLine,
  edit: readEditLine,
  session: readSessionLine,
  turn: readTurnLine,
  turnState: readTurnStateLine,
  capture: readCaptureLine,
  evidence: readEvidenceLine,
};

/**
 * Takes lines of an export back, under the ids and names they have. All lines are checked before any is stored. Then each family has
 * its commits, so that the order of the lines among one call does not matter: what belongs to something comes behind it.
 */
export async function importRecords(
  services: BlockServices,
  call: Call,
  lines: readonly string[],
): Promise<ImportRecordsReport> {
  checkList(lines, "lines", { least: 1, most: maxLines });
  authorize(call.principal, "admin", []);
  const read = lines.map((line, index) => readLine(line, index));
  const memoryLines = read.filter(({ type }) => type === "memory");
  const memories = readMemories(memoryLines);
  const others = read.flatMap((line) =>
    line.type === "memory" ? [] : [inLine(line.path, () => readers[line.type as OtherLine["type"]](line))],
  );
  authorize(call.principal, "admin", [...scopesOfMemories(memories), ...others.flatMap(scopesOf)]);
  const results = new LineResults();
  if (memoryLines.length > 0) {
    const report = await storeMemories(services, call, memories);
    return withMemories(report, await importOthers(services, call, others, results));
  }
  return (await importOthers(services, call, others, results)).report();
}

async function importOthers(
  services: BlockServices,
  call: Call,
  lines: readonly OtherLine[],
  results: LineResults,
): Promise<LineResults> {
  const ofTypes = <Type extends OtherLine["type"]>(...types: readonly Type[]) =>
    lines.filter((line): line is Extract<OtherLine, { readonly type: Type }> =>
      types.some((type) => type === line.type),
    );
  await importSchemas(services, call, ofTypes("blockSchema"), results);
  await importBlocks(services, call, ofTypes("block", "edit"), results);
  await importSessions(services, call, ofTypes("session", "turn", "turnState"), results);
  await importCaptures(services, call, ofTypes("capture", "evidence"), results);
  return results;
}

function withMemories(
  { imported, unchanged, erased, leftOut: ofMemories = [] }: ImportReport,
  results: LineResults,
): ImportRecordsReport {
  const { counts, leftOut: ofOthers = [] } = results.report();
  const leftOut = [...ofMemories, ...ofOthers].toSorted((left, right) => left.index - right.index);
  const all = [{ type: "memory" as const, imported, unchanged, erased }, ...counts];
  return leftOut.length === 0 ? { counts: all } : { counts: all, leftOut };
}

/** Where the principal must be allowed to write to take a line back. */
function scopesOf(line: OtherLine): readonly Scope[] {
  switch (line.type) {
    case "blockSchema":
      return [globalScope];
    case "block":
    case "edit":
      return [line.owner];
    case "session":
    case "turn":
    case "turnState":
      return [line.key.scope];
    case "capture":
      return [line.session.scope];
    case "evidence":
      return [line.scope, line.record.session.scope];
  }
}
