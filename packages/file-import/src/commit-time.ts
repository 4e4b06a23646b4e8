import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { type Instant, throwIfAborted } from "@loci/domain";
import { gitEnvironment } from "./git-environment.ts";

/** A file in a very long history is not waited for. */
const timeLimitMilliseconds = 5_000;

// A repository is somebody else's: nothing that its configuration names is run.
const inert: readonly string[] = [
  "--no-pager",
  "--literal-pathspecs",
  ...["core.hooksPath", "core.fsmonitor", "core.sshCommand", "gpg.program"].flatMap((name) => ["-c", `${name}=`]),
  "-c",
  "log.showSignature=false",
  "-c",
  "protocol.allow=never",
];

/**
 * When a file was last committed, or `undefined` when it never was, when git is not there, and when it does not answer within
 * 5 s.
 *
 * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED`
 */
export async function commitTime(file: string, signal: AbortSignal | undefined): Promise<Instant | undefined> {
  const wanted = ["log", "-1", "--format=%ct", "--no-show-signature", "--no-ext-diff", "--no-textconv"];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(
    "git",
    [...inert, "-C", dirname(file), ...wanted, "--", basename(file)],
    { env: gitEnvironment, timeout: timeLimitMilliseconds, signal, windowsHide: true },
    (error, output) => resolve(error === null ? output : ""),
  );
  const output = await promise;
  throwIfAborted(signal);
  return /^\d{1,12}\n$/u.test(output) ? Number(output) * 1_000 : undefined;
}
