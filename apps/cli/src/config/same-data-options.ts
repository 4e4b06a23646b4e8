import { locateDataDirectory } from "@loci/served-directory";
import type { ConnectionOptions } from "./connection-options.ts";

/**
 * The options by which commands that a person types in a terminal work on the same data, such as `--data /srv/loci`. Undefined: they
 * do so without any. `LOCI_DATA_DIR` counts as one that a terminal does not have: an editor sets it for this process alone.
 */
export function sameDataOptions({ connect, data }: Pick<ConnectionOptions, "connect" | "data">): string | undefined {
  if (connect !== undefined) return `--connect ${connect}`;
  const directory = locateDataDirectory(data);
  const { LOCI_DATA_DIR: _, ...terminal } = process.env;
  if (directory === locateDataDirectory(undefined, terminal)) return undefined;
  return `--data ${/^[\w./:-]+$/.test(directory) ? directory : JSON.stringify(directory)}`;
}
