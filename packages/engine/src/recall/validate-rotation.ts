import {
  checkChoice,
  checkFields,
  checkIdentifier,
  checkList,
  fieldsOf,
  type MemoryId,
  memoryId,
  type RecallRotation,
} from "@loci/domain";

const rotationFields = fieldsOf<RecallRotation>({ owner: true, session: true, key: true, inWindow: true });
const keys = ["owner", "session", "off"] as const;
const maxInWindow = 1_000;

/** Who asks, when rotation is not off. */
export interface CheckedRotation {
  readonly owner: string;
  readonly session: string;
  readonly key: "owner" | "session";
  readonly inWindow: ReadonlySet<MemoryId>;
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_IDENTIFIER`, with the field at fault */
export function checkRotation(rotation: RecallRotation, field: string): CheckedRotation | undefined {
  checkFields(rotation, rotationFields, field);
  const { inWindow = [] } = rotation;
  const owner = checkIdentifier(rotation.owner, `${field}.owner`);
  const session = checkIdentifier(rotation.session, `${field}.session`);
  const key = rotation.key === undefined ? "owner" : checkChoice(rotation.key, keys, `${field}.key`);
  const held = checkList(inWindow, `${field}.inWindow`, { least: 0, most: maxInWindow }).map(memoryId);
  return key === "off" ? undefined : { owner, session, key, inWindow: new Set(held) };
}
