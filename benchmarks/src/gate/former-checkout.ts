import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The packages of the workspace, as npm links them. */
const ownPackages = "@loci";

/** The sources as they were at a commit, in a folder of their own. */
export interface FormerCheckout extends Disposable {
  readonly commit: string;
  readonly directory: string;
}

/**
 * Checks out the commit that set the baseline, beside the repository and with its installed packages, so that it can be measured on the
 * same machine.
 *
 * @param root of the repository
 * @param baseline path of the baseline's file, from there
 * @returns `undefined` where the history does not go back so far, or git is missing
 */
export function checkOutBaseline(root: string, baseline: string): FormerCheckout | undefined {
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const around = mkdtempSync(join(tmpdir(), "loci-baseline-"));
  const directory = join(around, "checkout");
  let commit: string;
  try {
    commit = git("log", "-1", "--format=%H", "--", baseline);
    git("worktree", "add", "--detach", directory, commit);
  } catch {
    rmSync(around, { recursive: true });
    return undefined;
  }
  const [installed, linked] = [join(root, "node_modules"), join(directory, "node_modules")];
  mkdirSync(linked);
  for (const name of readdirSync(installed))
    if (name === ownPackages)
      cpSync(join(installed, name), join(linked, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(installed, name), join(linked, name));
  return {
    commit,
    directory,
    [Symbol.dispose]: () => {
      git("worktree", "remove", "--force", directory);
      rmSync(around, { recursive: true });
    },
  };
}
