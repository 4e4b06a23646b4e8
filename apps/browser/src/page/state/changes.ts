import { signal } from "@preact/signals";

/** Counts what was changed here, so that what is open is loaded again. */
export const changes = signal(0);
