import type { BlockChange } from "./block-change.ts";

/**
 * What `git log` shows: the reason, or what happened to which block, then the block and its version as trailers. Each line
 * is ended.
 *
 * A NUL in a reason becomes `_`: git cuts a message there.
 */
export function commitMessage(change: BlockChange): string {
  const reason = change.reason.replaceAll("\0", "_").replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim();
  const subject = reason || `${change.toml === null ? "Delete" : "Update"} ${change.label}`;
  return `${subject}\n\nBlock: ${change.label}\nVersion: ${change.version}\n`;
}
