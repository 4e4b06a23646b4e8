import { locateDataDirectory } from "@loci/served-directory";
import { printNote } from "../output/terminal.ts";

/** Says of a data directory that is divided among workers that what is done to its files is done to one part of it. */
export async function sayWhichShard(data: string | undefined): Promise<void> {
  const { readDivision } = await import("@loci/loci");
  const directory = locateDataDirectory(data);
  const division = readDivision(directory);
  if (division === undefined) return;
  const others = Array.from({ length: division.shards - 1 }, (_, index) => `shards/${index + 1}`).join(", ");
  printNote(`loci: ${directory} is shard 0 of ${division.shards}. Do the same with --data for ${others} in it.`);
}
