import { lstat, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { refuseFile, takeForMissing } from "../file-error.ts";

/**
 * Makes a folder of a mirror. What stands in its place is removed, as everything there is made of the log: a file, and of a
 * folder within a repository a link, which leads to where nobody expects a block to be written.
 */
export async function makeFolder(
  path: string,
  { mayBeLink = false }: { readonly mayBeLink?: boolean } = {},
): Promise<void> {
  const found = await (mayBeLink ? stat(path) : lstat(path)).catch((error: unknown) => takeForMissing(path, error));
  if (found?.isDirectory() === true) return;
  try {
    await rm(path, { recursive: true, force: true });
    // Whoever has made the data directory may have left it open to others.
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuseFile(path, error);
  }
}

/** Removes what is at a path, if anything is. */
export async function removeAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
    // What should be a folder above it is a file: then there is nothing.
    if (codeOf(error) !== "ENOTDIR") refuseFile(path, error);
  });
}

/** Writes a file as a whole, or leaves it as it was. A folder in its place is removed. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  const write = async (): Promise<void> => {
    await writeFile(draft, content);
    await rename(draft, path);
  };
  try {
    await write().catch(async (error: unknown) => {
      if (codeOf(error) !== "EISDIR") throw error;
      for (const inTheWay of [draft, path]) await rm(inTheWay, { recursive: true, force: true });
      await write();
    });
  } catch (error) {
    refuseFile(path, error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
