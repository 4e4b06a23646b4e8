/** Something is on its way. Said late, so that nothing flickers where it comes at once. */
export function WaitingNote({ what }: { readonly what: string }) {
  return (
    <p class="waiting" role="status">
      <span class="turning" aria-hidden="true" /> {what}
    </p>
  );
}
