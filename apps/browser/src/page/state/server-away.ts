import { signal } from "@preact/signals";

/** The last call found nobody. It is tried again, and what is on the screen stays. */
export const serverAway = signal(false);
