import type { RecallRotation } from "@loci/domain";
import { type RecallRotation as ProtoRotation, RecallRotationKey } from "../gen/loci/v1/recall.ts";
import { Enumeration } from "./enumeration.ts";
import { identifierToProto } from "./identifier.ts";
import { memoryIds } from "./memory-ids.ts";
import { optionalList, optionalWord, RequestForm, sameField } from "./request-form.ts";

const keys = new Enumeration<NonNullable<RecallRotation["key"]>, RecallRotationKey>({
  owner: RecallRotationKey.OWNER,
  session: RecallRotationKey.SESSION,
  off: RecallRotationKey.OFF,
});

export const rotation: RequestForm<RecallRotation, ProtoRotation> = new RequestForm<RecallRotation, ProtoRotation>(
  "rotation",
  {
    owner: sameField("owner", identifierToProto),
    session: sameField("session", identifierToProto),
    key: optionalWord("key", keys),
    inWindow: optionalList("inWindow", memoryIds),
  },
);
