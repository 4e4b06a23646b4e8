import {
  memoryFromProto,
  memoryToProto,
  type proto,
  readAnswer,
  rememberInputFromProto,
  rememberInputToProto,
} from "@loci/api";
import { LociError, type Memory } from "@loci/domain";
import { expect, test } from "vitest";

const known: proto.Memory = {
  ...rememberInputToProto({ text: "As a newer server has it.", scope: "global", origin: "manual", trust: "trusted" }),
  id: "0192f0c1-2345-7abc-8def-0123456789ab",
  category: "fact",
  importance: 0.5,
  confidence: 1,
  isStatic: false,
  createTime: { seconds: 1n, nanos: 0 },
  updateTime: { seconds: 1n, nanos: 0 },
  recordTime: { seconds: 1n, nanos: 0 },
  version: 1n,
  etag: "0192f0c1-2345-7abc-8def-0123456789ab.1",
  state: 1,
  usage: { accessCount: 0n, lastAccessTime: undefined },
  embedding: 1,
};
const later = { ...known, origin: 98, state: 99 } as unknown as proto.Memory;

test("an answer with words of a later contract is read, and says their numbers", () => {
  const memory = readAnswer(() => memoryFromProto(later));
  expect(memory).toMatchObject({ text: known.text, origin: "UNKNOWN_98", state: "UNKNOWN_99" });
  // What reads it sends it back as it came.
  expect(memoryToProto(memory)).toMatchObject({ origin: 98, state: 99 });
  const again = rememberInputToProto({ text: "again", scope: "global", origin: memory.origin });
  expect(again).toMatchObject({ origin: 98 });
});

test("a request with such words is refused, also behind an answer that could not be read", () => {
  expect(() => readAnswer(() => memoryFromProto({ ...later, scope: undefined }))).toThrow(LociError);
  const request = { ...later, origin: 98 as proto.Origin };
  expect(() => rememberInputFromProto(request)).toThrow(
    expect.objectContaining({ reason: "INVALID_REQUEST", field: "origin" }),
  );
});

test.each(["UNKNOWN_1", "UNKNOWN_0", "UNKNOWN_", "UNKNOWN_-1", "UNKNOWN_99999999999", "unknown_98"])(
  "%s is no word of a later contract",
  (origin) => {
    expect(() => rememberInputToProto({ text: "x", scope: "global", origin: origin as Memory["origin"] })).toThrow(
      expect.objectContaining({ reason: "INVALID_REQUEST", field: "origin" }),
    );
  },
);
