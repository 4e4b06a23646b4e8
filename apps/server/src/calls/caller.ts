import type { Principal } from "@loci/loci";

/** Who shares what there is a limited amount of: the keys of one subject. No identifier holds a line break. */
export function callerOf({ tenant, subject }: Principal): string {
  return `${tenant}\n${subject}`;
}
