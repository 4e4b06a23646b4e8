import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { LociError, nearestName } from "@loci/domain";
import type { AssembleRequest, LayoutDefinition, LayoutName } from "@loci/loci";
import { printNote } from "../output/terminal.ts";
import { zoneOfComputer } from "./zone-of-computer.ts";
import { readTextFile, textOption } from "./text-option.ts";

/** Options that choose a layout, and what only some layouts have sections for. */
export interface LayerOptions {
  readonly layout?: string;
  readonly coreMemory?: string;
  readonly files?: string;
  readonly team?: string;
  readonly zone?: string;
  readonly evaluationTime?: number;
}

/** Reads the layout when it is a file, and the agent's folder when one is named. */
export async function readLayerOptions(
  options: LayerOptions,
  signal: AbortSignal,
): Promise<Pick<AssembleRequest, "layout" | "coreMemory" | "files">> {
  const layout = await layoutOption(options.layout);
  const { files: directory, team, zone: timeZone = zoneOfComputer(), evaluationTime: now = Date.now() } = options;
  const coreMemory = await textOption(options.coreMemory);
  if (directory === undefined && team !== undefined)
    throw new LociError("INVALID_REQUEST", {
      message: `--team ${team} names a folder in the agent's folder, and no --files names that.`,
      field: "--team",
      advice: "Pass --files DIRECTORY, whose folder teams has one for each team.",
    });
  if (directory === undefined) return { layout, coreMemory, files: undefined };
  const { LayeredFilesReader } = await import("@loci/loci");
  const files = await new LayeredFilesReader().read({ directory, layout, team, timeZone, now, signal });
  if (team !== undefined) await noteMissingTeam(join(directory, "teams"), team);
  return { layout, coreMemory, files };
}

/** Files that are not there make no section, and so a misspelt team shows nothing. */
async function noteMissingTeam(directory: string, team: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const teams = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  if (teams.includes(team)) return;
  const meant = nearestName(team, teams);
  const advice = meant === undefined ? "" : ` Is ${meant} meant?`;
  printNote(`loci: there is no folder ${join(directory, team)}, so nothing of that team is shown.${advice}`);
}

/** A name, or the layout in a file whose name ends with `.toml` or `.json`. */
async function layoutOption(value: string | undefined): Promise<LayoutName | LayoutDefinition | undefined> {
  const format = (["toml", "json"] as const).find((ending) => value?.endsWith(`.${ending}`));
  // A name that is none is refused with the names there are.
  if (value === undefined || format === undefined) return value as LayoutName | undefined;
  const { parseLayout } = await import("@loci/loci");
  return parseLayout(await readTextFile(value), { format, file: basename(value) });
}
