import { access, constants } from "node:fs/promises";
import { LociError } from "@loci/domain";

/**
 * That all of them are there, before anything is opened or stored for one of them.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_REQUEST` for standard input: what is imported is known by the name of its file
 */
export async function checkReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await access(path, constants.R_OK).catch((cause: unknown) => {
      if (path === "-")
        throw new LociError("INVALID_REQUEST", {
          message: "import takes files and folders, and no standard input (-). Nothing was imported.",
          advice:
            "Write it into a file and name that, as with loci export all.jsonl and loci import all.jsonl. A single text is taken by loci remember -.",
          cause,
        });
      throw new LociError("FILE_NOT_FOUND", {
        message: `${path} cannot be read. Nothing was imported.`,
        resource: path,
        advice: "Check the path, and that you may read it.",
        cause,
      });
    });
}
