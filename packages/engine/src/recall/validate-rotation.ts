import {
  checkChoice,
  checkIdentifier,
  checkList,
  checksOf,
  type MemoryId,
  memoryId,
  optional,
  type RecallRotation,
} from "@loci/domain";

const keys = ["owner", "session", "off"] as const;
const maxInWindow = 1_000;

/** Who asks, when rotation is not off. */
export interface CheckedRotation {
  readonly owner: string;
  readonly session: string;
  readonly key: "owner" | "session";
  readonly inWindow: ReadonlySet<MemoryId>;
}

const check = checksOf<RecallRotation>()("rotation", {
  owner: checkIdentifier,
  session: checkIdentifier,
  key: optional((key, path) => checkChoice(key, keys, path)),
  inWindow: optional((ids: readonly MemoryId[], path) =>
    checkList(ids, path, { least: 0, most: maxInWindow }).map((id) => memoryId(id)),
  ),
});

/** @throws LociError `INVALID_REQUEST`, `INVALID_IDENTIFIER`, with the field at fault */
export function checkRotation(rotation: RecallRotation, path: string): CheckedRotation | undefined {
  const { owner, session, key = "owner", inWindow } = check(rotation, path);
  return key === "off" ? undefined : { owner, session, key, inWindow: new Set(inWindow) };
}
