import { type CaptureJob, type Loci, type Memory, type TurnInput } from "@loci/domain";

/** Whose talks they are. */
export const scope = "user:alice";
/** One of them. */
export const key: { readonly scope: typeof scope; readonly id: "s-1" } = { scope, id: "s-1" };
/** When the first turn was said. */
export const at: number = Date.UTC(2026, 0, 1);

/** Turns as `user: text`, a second apart. */
export function turnsOf(...lines: readonly string[]): readonly TurnInput[] {
  return lines.map((line, index) => {
    const colon = line.indexOf(": ");
    return { role: line.slice(0, colon) as TurnInput["role"], content: line.slice(colon + 2), at: at + index * 1_000 };
  });
}

/** Keeps a session of the turns, which is not captured by itself. */
export async function talk(loci: Loci, id: string, turns: readonly TurnInput[]): Promise<void> {
  await loci.sessions.create({ scope, id, capture: "off" });
  await loci.sessions.append({ scope, id }, { expectedLast: 0, turns });
}

/** What became of a capture of a session. */
export async function captured(loci: Loci, id: string = key.id): Promise<CaptureJob> {
  const { id: job } = await loci.captures.start({ session: { scope, id } });
  return loci.captures.wait(job);
}

/** What the scopes hold, by default the user's. */
export async function memoriesOf(
  loci: Loci,
  ...scopes: readonly `${"user" | "project"}:${string}`[]
): Promise<readonly Memory[]> {
  return (await loci.memories.list({ scopes: scopes.length === 0 ? [scope] : scopes })).memories;
}
