import { access, constants } from "node:fs/promises";
import { LociError } from "@loci/domain";

/**
 * That all of them are there, before anything is opened or stored for one of them.
 *
 * @throws LociError `FILE_NOT_FOUND`
 */
export async function checkReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new LociError("FILE_NOT_FOUND", {
        message: `${path} cannot be read. Nothing was imported.`,
        resource: path,
        advice: "Check the path, and that you may read it.",
        cause,
      });
    });
}
