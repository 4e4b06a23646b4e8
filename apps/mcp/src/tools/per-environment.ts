import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * Makes something once for each caller: over HTTP each request has a server of its own, and its schemas would cost more than its
 * work.
 */
export function perEnvironment<Made>(
  make: (environment: ToolEnvironment) => Made,
): (environment: ToolEnvironment) => Made {
  const made = new WeakMap<ToolEnvironment, { readonly value: Made }>();
  return (environment) => {
    const known = made.get(environment) ?? { value: make(environment) };
    made.set(environment, known);
    return known.value;
  };
}
