import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Opens files until none can be opened, and leaves some free. @returns the way to close them */
export function useUp(free: number): () => void {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync(devNull, "r"));
  } catch {
    for (const descriptor of opened.splice(-free, free)) closeSync(descriptor);
  }
  return () => {
    for (const descriptor of opened) closeSync(descriptor);
  };
}
