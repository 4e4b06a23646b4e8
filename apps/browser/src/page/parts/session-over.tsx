import { signInWay } from "../api/session.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** There is no session: how to get one. */
export function SessionOver() {
  if (signInWay.value === "key") return <SignInForm />;
  return (
    <main class="session-over">
      <h1>Loci</h1>
      <p>
        <strong>This page needs a fresh link.</strong>
      </p>
      <p>A link opens the memory browser once, within a minute; a session ends after half an hour without a call.</p>
      <p>Press Enter in the terminal where it runs to get another link, or start it:</p>
      <pre>loci browse --open</pre>
    </main>
  );
}
