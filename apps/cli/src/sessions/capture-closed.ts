import { LociError } from "@loci/domain";
import type { CaptureJob, Loci, Session, SessionKey } from "@loci/loci";
import { counted, oneLine } from "../output/format-text.ts";
import { printLine } from "../output/terminal.ts";

/** The captures of a page. A session of 100,000 turns has 500. */
const pageSize = 1_000;

/**
 * The captures of a session that was closed, once they are over. A command that ends at once would leave them to a start of
 * somebody who stays longer.
 */
export async function captureClosed(
  loci: Loci,
  key: SessionKey,
  signal: AbortSignal | undefined,
): Promise<readonly CaptureJob[]> {
  if (!isCapturedWhenClosed(await loci.sessions.get(key, { signal }))) return [];
  await loci.captures.start({ session: key }, { signal });
  const { captures } = await loci.captures.list({ session: key, pageSize }, { signal });
  const done: CaptureJob[] = [];
  const deadline = Date.now() + longestWait;
  for (const { id } of captures)
    done.push(
      await loci.captures.wait(id, { signal, deadline }).catch((error: unknown) => {
        // One that fails is tried again for minutes: by whoever has the data open then.
        if (LociError.is(error) && error.reason === "DEADLINE_EXCEEDED") return loci.captures.get(id, { signal });
        throw error;
      }),
    );
  return done;
}

/** Whether memories are made of a session that is closed. */
export function isCapturedWhenClosed({ capture, lastTurn }: Session): boolean {
  return capture !== "off" && lastTurn > 0;
}

/** How long a command waits for all captures of a session, in milliseconds. */
const longestWait = 60_000;
/** Of captures that will be tried no more. */
const ended: ReadonlySet<CaptureJob["state"]> = new Set(["succeeded", "dead", "undone", "cancelled"]);

/** What was made of a session, and where to read more. */
export function printCaptureSummary(id: string, scope: string, captures: readonly CaptureJob[]): void {
  if (captures.length === 0) return;
  const candidates = captures.flatMap(({ outcome }) => outcome?.candidates ?? []);
  const made = candidates.filter(({ memory }) => memory !== null).length;
  const failed = captures.filter(({ state }) => state === "dead").length;
  const waiting = captures.filter(({ state }) => !ended.has(state)).length;
  const more = `loci capture report ${JSON.stringify(oneLine(id, 200))} --scope ${scope}`;
  const failures = failed > 0 ? `, ${counted(failed, "capture")} failed` : "";
  const rest = waiting > 0 ? `, ${counted(waiting, "capture")} not done yet` : "";
  const statements = counted(candidates.length, "statement");
  printLine(`  ${counted(made, "memory", "memories")} made of ${statements}${failures}${rest}: ${more}`);
}
