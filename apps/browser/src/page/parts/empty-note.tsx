import type { ComponentChildren } from "preact";

/** Says that there is nothing, and what would be here or what to do. */
export function EmptyNote({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="note empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
