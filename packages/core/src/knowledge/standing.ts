import { type Memory, scopeDistance } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";

/** What says whose words a memory is. */
type Source = Pick<Memory, "origin" | "trust" | "approvedBy">;

/** True for the caller's own words and for what somebody approved: only these may stand in the system section. */
export function mayStandInSystem(memory: Source): boolean {
  return isVouchedFor(memory, ["manual"]);
}

/** True for a procedure the model is told to follow. Any other procedure is shown as data, like every memory. */
export function mayBeFollowed(memory: Source & Pick<Memory, "category">): boolean {
  return memory.category === "procedure" && isVouchedFor(memory, ["manual", "correction"]);
}

/**
 * True for a rule that a user told in a conversation and nobody has approved. It is data, no order to the model; but a model that is not
 * told that it is the user's wish has no reason to heed `always answer in German`.
 */
export function isWishOfUser(memory: Source & Pick<Memory, "category" | "scope">): boolean {
  const { category, scope, origin, trust } = memory;
  const isTold = category === "procedure" && scope.kind === "user" && origin === "capture" && trust === "trusted";
  return isTold && !mayBeFollowed(memory);
}

/** Who approves has read the words and answers for them, whoever said them. */
function isVouchedFor({ origin, trust, approvedBy }: Source, origins: readonly Memory["origin"][]): boolean {
  return approvedBy !== undefined || (trust === "trusted" && origins.includes(origin));
}

type Standing = Pick<Memory, "id" | "importance" | "isPinned" | "createdAt">;

/**
 * What stands whatever the query says, in its order: pinned first, then by importance as given, then the newest, then by id. Where
 * there is no room for all, what somebody said last of themselves counts more than what they said first.
 */
export function compareStanding(left: Standing, right: Standing): number {
  return (
    Number(right.isPinned === true) - Number(left.isPinned === true) ||
    right.importance - left.importance ||
    right.createdAt - left.createdAt ||
    compareIds(left.id, right.id)
  );
}

/** Without those whose slot a memory of a nearer scope has. */
export function withoutOverridden<Standing extends Pick<Memory, "scope" | "slot" | "text">>(
  memories: readonly Standing[],
): readonly Standing[] {
  const nearest = new Map<string, number>();
  for (const { slot, scope } of memories)
    if (slot !== undefined) nearest.set(slot, Math.min(nearest.get(slot) ?? Infinity, scopeDistance(scope)));
  return memories.filter(
    ({ slot, scope }) => slot === undefined || scopeDistance(scope) === (nearest.get(slot) ?? Infinity),
  );
}
