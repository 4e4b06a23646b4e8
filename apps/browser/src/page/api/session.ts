import { signal } from "@preact/signals";

/** What the gateway said when the session began. */
interface Session {
  readonly token: string;
  /** The page was opened to look, and not to change. */
  readonly readOnly: boolean;
  readonly signIn: SignInWay;
}

/** How a session is begun: by a link of the terminal, or with a key in a form. */
export type SignInWay = "link" | "key";

const storedUnder = "loci-session";

/** Whether somebody was here since the page was loaded. */
let wasOpen = false;

/** The session of this tab. Undefined: there is none, or it is over. */
export const session = signal<Session | undefined>(undefined);

/** There was one here, and it ended without anybody asking for it. */
export const sessionEnded = signal(false);

/** How a session is begun here, where there is none. */
export const signInWay = signal<SignInWay>("link");

/**
 * Takes the link's token out of the address and exchanges it for a session. It is kept for this tab alone, in a place that no other
 * address and no other port reads; a cookie would be sent to every port of this machine.
 */
export async function openSession(): Promise<void> {
  const [, link] = /^#t=([\w-]+)$/.exec(location.hash) ?? [];
  if (link === undefined) {
    session.value = storedSession();
    if (session.value === undefined) await askForWay();
    return;
  }
  history.replaceState(null, "", "#/memories");
  await begin({ token: link });
}

/** Begins a session with a key of the server, which the page forgets. @returns why there is none. Undefined: there is one */
export async function signIn(key: string): Promise<string | undefined> {
  return begin({ key });
}

/**
 * Ends the session where it is known, so that its token is worth nothing. The page is loaded anew: what it holds of somebody, such as a pinned
 * window or a question in the address, is not for whoever signs in next.
 */
export async function signOut(): Promise<void> {
  const headers = { authorization: `Bearer ${session.value?.token ?? ""}` };
  leaveSession();
  const answer = await fetch("/session", { method: "DELETE", headers, credentials: "omit" }).catch(() => undefined);
  if (answer !== undefined) location.replace("/");
}

/** The gateway does not know the session any more. */
export function endSession(): void {
  if (session.value !== undefined) sessionEnded.value = true;
  leaveSession();
}

function leaveSession(): void {
  if (session.value !== undefined) wasOpen = true;
  signInWay.value = session.value?.signIn ?? signInWay.value;
  sessionStorage.removeItem(storedUnder);
  session.value = undefined;
}

async function begin(body: { readonly token: string } | { readonly key: string }): Promise<string | undefined> {
  const answer = await fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
  }).catch(() => undefined);
  if (answer === undefined) return "The server does not answer.";
  const said = (await answer.json()) as Omit<Session, "token"> & {
    readonly session: string;
    readonly message?: string;
  };
  if (!answer.ok) return said.message ?? "There is no session.";
  const { session: token, readOnly, signIn } = said;
  const begun: Session = { token, readOnly, signIn };
  sessionStorage.setItem(storedUnder, JSON.stringify(begun));
  // It may be somebody else, to whom nothing is shown of what the page holds.
  if (wasOpen) location.reload();
  else session.value = begun;
  return undefined;
}

async function askForWay(): Promise<void> {
  const answer = await fetch("/session", { credentials: "omit" }).catch(() => undefined);
  if (answer?.ok === true) signInWay.value = ((await answer.json()) as { readonly signIn: SignInWay }).signIn;
}

function storedSession(): Session | undefined {
  const stored = sessionStorage.getItem(storedUnder);
  return stored === null ? undefined : (JSON.parse(stored) as Session);
}
