import { signal } from "@preact/signals";

/** What the gateway said when the session began. */
interface Session {
  readonly token: string;
  /** The page was opened to look, and not to change. */
  readonly readOnly: boolean;
}

const storedUnder = "loci-session";

/** The session of this tab. Undefined: there is none, or it is over. */
export const session = signal<Session | undefined>(undefined);

/**
 * Takes the link's token out of the address and exchanges it for a session. It is kept for this tab alone, in a place that no other
 * address and no other port reads; a cookie would be sent to every port of this machine.
 */
export async function openSession(): Promise<void> {
  const [, link] = /^#t=([\w-]+)$/.exec(location.hash) ?? [];
  if (link === undefined) {
    session.value = storedSession();
    return;
  }
  history.replaceState(null, "", "#/memories");
  const answer = await fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: link }),
    credentials: "omit",
  }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const { session: token, readOnly } = (await answer.json()) as { session: string; readOnly: boolean };
  session.value = { token, readOnly };
  sessionStorage.setItem(storedUnder, JSON.stringify(session.value));
}

/** The gateway does not know the session any more. */
export function endSession(): void {
  sessionStorage.removeItem(storedUnder);
  session.value = undefined;
}

function storedSession(): Session | undefined {
  const stored = sessionStorage.getItem(storedUnder);
  return stored === null ? undefined : (JSON.parse(stored) as Session);
}
