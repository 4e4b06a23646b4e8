import { onOneLine } from "../blocks/block-white-space.ts";

/** A text of somebody else's as a part of a line: each line break is a space, and there is none at its ends. */
export function textOnOneLine(text: string): string {
  return onOneLine(text).trim();
}
