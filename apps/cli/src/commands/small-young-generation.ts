import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from making room for new objects in large steps, which a start fills once and nobody empties: 50 MiB of a server
 * that has just begun, for a tenth more processor time until then.
 *
 * @returns the way back to V8's own steps, for when there is work
 */
export function keepYoungGenerationSmall(): () => void {
  setFlagsFromString("--semi-space-growth-factor=1");
  return () => setFlagsFromString("--semi-space-growth-factor=2");
}
