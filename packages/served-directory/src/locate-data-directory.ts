import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/**
 * Where the data is: the option, else `LOCI_DATA_DIR`, else `loci` in the XDG data home (`XDG_DATA_HOME`, or
 * `~/.local/share`). Always absolute.
 */
export function locateDataDirectory(option: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  const given = option ?? environment["LOCI_DATA_DIR"];
  if (given !== undefined && given !== "") return resolve(given);
  const dataHome = environment["XDG_DATA_HOME"];
  // The XDG base directory specification says that relative paths are to be ignored.
  const home = dataHome !== undefined && isAbsolute(dataHome) ? dataHome : join(homedir(), ".local", "share");
  return join(home, "loci");
}
