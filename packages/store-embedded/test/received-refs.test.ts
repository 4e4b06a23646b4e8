import type { Ref } from "@loci/domain";
import { array, assert, property, uuid } from "fast-check";
import { describe, expect, it } from "vitest";
import { ReceivedRefs } from "../src/received-refs.ts";
import { packRefs } from "../src/sent-rows.ts";

describe("refs that came from the index thread", () => {
  it("are those that were sent, whatever was received before", () => {
    const received = new ReceivedRefs();
    assert(
      property(array(uuid()), (ids) => {
        const refs = ids as Ref[];
        expect(received.all(packRefs(refs).bytes)).toEqual(refs);
        expect(received.all(packRefs(refs).bytes)).toEqual(refs);
      }),
    );
  });

  it("share a place without being taken for each other", () => {
    const received = new ReceivedRefs();
    const [one, other] = ["00000000-0000-7000-8000-000000000001", "00000001-0000-7000-8000-000000000001"] as Ref[] as [
      Ref,
      Ref,
    ];
    const sent = packRefs([one, other, one]).bytes;
    expect(received.all(sent)).toEqual([one, other, one]);
    expect(received.all(sent)).toEqual([one, other, one]);
  });
});
