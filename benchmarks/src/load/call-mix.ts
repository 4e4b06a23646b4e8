/** What a caller may ask, each by the public interface. `turn`: a session's next turn is appended. */
export const callKinds = ["recall", "assemble", "remember", "update", "turn"] as const;

export type CallKind = (typeof callKinds)[number];

/** How many of the calls are of each kind, in shares of any sum. */
export type CallMix = Readonly<Partial<Record<CallKind, number>>>;

/** As agents call: what they know is asked for at most turns, and little of what is said is worth remembering. */
export const defaultMix: CallMix = { recall: 60, assemble: 15, remember: 10, update: 5, turn: 10 };

/** Reads `recall=60,remember=40`. @throws Error naming what cannot be read */
export function parseMix(text: string): CallMix {
  const mix: Partial<Record<CallKind, number>> = {};
  for (const part of text.split(",")) {
    const [name = "", share = ""] = part.split("=");
    const kind = callKinds.find((known) => known === name);
    if (kind === undefined || !/^\d+(?:\.\d+)?$/u.test(share))
      throw new Error(`--mix holds ${JSON.stringify(part)}. Write KIND=SHARE with one of ${callKinds.join(", ")}.`);
    mix[kind] = Number(share);
  }
  if (Object.values(mix).every((share) => share === 0)) throw new Error("--mix has no share above 0.");
  return mix;
}

export function describeMix(mix: CallMix): string {
  const sum = callKinds.reduce((total, kind) => total + (mix[kind] ?? 0), 0);
  return callKinds
    .filter((kind) => (mix[kind] ?? 0) > 0)
    .map((kind) => `${kind} ${Math.round((100 * (mix[kind] ?? 0)) / sum)}%`)
    .join(", ");
}
