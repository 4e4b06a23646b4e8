import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A symbolic link that leads to what is not there. */
export interface DanglingLink {
  readonly link: string;
  readonly target: string;
}

/** The link for which a path is not there, the path itself or something above it. `undefined` also where nobody may look. */
export function danglingLink(path: string): DanglingLink | undefined {
  try {
    for (let each = resolve(path); !existsSync(each); each = dirname(each))
      if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        return { link: each, target: resolve(dirname(each), readlinkSync(each)) };
  } catch {
    // Whoever uses the path says what is refused.
  }
  return undefined;
}
