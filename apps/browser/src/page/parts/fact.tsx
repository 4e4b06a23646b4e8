import type { ComponentChildren } from "preact";

/** A name and what it says, in a list of facts. */
export function Fact({ name, children }: { readonly name: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
