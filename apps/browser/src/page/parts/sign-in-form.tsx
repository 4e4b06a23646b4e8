import { useEffect, useRef, useState } from "preact/hooks";
import { sessionEnded, signIn } from "../api/session.ts";
import { ShownText } from "./shown-text.tsx";

/** Begins a session with a key of the server. The key goes to the server and stays nowhere. */
export function SignInForm() {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const key = field.current?.value ?? "";
    setAsking(true);
    const found = await signIn(key);
    setAsking(false);
    setProblem(found);
    if (found === undefined || field.current === null) return;
    field.current.value = "";
    field.current.focus();
  };
  return (
    <main class="session-over">
      <h1>Loci</h1>
      <p>
        <strong>Sign in with a key of this server.</strong>
      </p>
      {sessionEnded.value && <p role="status">The session is over. Sign in again to go on where you were.</p>}
      <form class="sign-in" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>API key, or a delegated token</span>
          <input
            ref={field}
            name="key"
            type="password"
            required
            autocomplete="off"
            spellcheck={false}
            aria-describedby="sign-in-problem"
          />
        </label>
        <button type="submit" class="primary" disabled={isAsking}>
          Sign in
        </button>
      </form>
      <p id="sign-in-problem" role="alert" class="sign-in-problem">
        {problem !== undefined && <ShownText text={problem} />}
      </p>
      <p>
        The key is exchanged for a token of its own that ends after twelve hours, and is not kept. A session ends after
        half an hour without a call.
      </p>
    </main>
  );
}
