import { basename } from "node:path";
import type { AssembleRequest, LayoutDefinition, LayoutName } from "@loci/loci";
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
  if (directory === undefined) return { layout, coreMemory, files: undefined };
  const { LayeredFilesReader } = await import("@loci/loci");
  const files = await new LayeredFilesReader().read({ directory, layout, team, timeZone, now, signal });
  return { layout, coreMemory, files };
}

/** A name, or the layout in a file whose name ends with `.toml` or `.json`. */
async function layoutOption(value: string | undefined): Promise<LayoutName | LayoutDefinition | undefined> {
  const format = (["toml", "json"] as const).find((ending) => value?.endsWith(`.${ending}`));
  // A name that is none is refused with the names there are.
  if (value === undefined || format === undefined) return value as LayoutName | undefined;
  const { parseLayout } = await import("@loci/loci");
  return parseLayout(await readTextFile(value), { format, file: basename(value) });
}
