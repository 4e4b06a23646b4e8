import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  isRefusal,
  CallSignal,
  codeOfReason,
  type ErrorReason,
  errorReasons,
  LociError,
  type LociErrorJson,
  parseInstant,
  throwIfAborted,
} from "../src/index.ts";

const reasons = Object.keys(errorReasons) as ErrorReason[];

describe("LociError", () => {
  test("crosses a process boundary unchanged, except for its cause", () => {
    const optional = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.constantFrom(...reasons),
        fc.record({
          message: fc.string(),
          advice: optional,
          field: optional,
          resource: optional,
          details: fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string()),
        }),
        (reason, description) => {
          const error = new LociError(reason, { ...description, cause: new Error("inner") });
          const copy = LociError.fromJSON(JSON.parse(JSON.stringify(error)) as LociErrorJson);
          expect(copy.toJSON()).toEqual(error.toJSON());
          expect(copy.code).toBe(codeOfReason(reason));
          expect(copy.cause).toBeUndefined();
        },
      ),
    );
  });

  test("a reason from a newer version keeps its name and its kind", () => {
    const json = { ...new LociError("CLOSED", { message: "m" }).toJSON(), reason: "FROM_THE_FUTURE" as ErrorReason };
    const copy = LociError.fromJSON(json);
    expect(copy.toJSON()).toEqual(json);
    expect(copy.code).toBe("FAILED_PRECONDITION");
    // What this version knows of a reason counts, and a kind that nobody knows is a fault.
    expect(LociError.fromJSON({ ...json, reason: "CLOSED", code: "INTERNAL" }).code).toBe("FAILED_PRECONDITION");
    const unknown = { ...json, reason: "toString", code: "constructor" } as unknown as LociErrorJson;
    expect(LociError.fromJSON(unknown)).toMatchObject({ reason: "INTERNAL", code: "INTERNAL", message: "m" });
  });
});

describe("CallSignal", () => {
  test("a cancelled call rejects with CANCELLED and its listener is removed", () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    {
      using call = new CallSignal({ signal: controller.signal });
      expect(() => call.throwIfAborted()).not.toThrow();
      controller.abort();
      expect(() => call.throwIfAborted()).toThrow(expect.objectContaining({ reason: "CANCELLED" }));
    }
    expect(removed).toHaveBeenCalled();
  });

  test("a deadline that has passed is over at once; a later one when it comes", () => {
    vi.useFakeTimers();
    try {
      using over = new CallSignal({ deadline: 10 }, 10);
      expect(() => over.throwIfAborted()).toThrow(expect.objectContaining({ reason: "DEADLINE_EXCEEDED" }));
      using later = new CallSignal({ deadline: 60 }, 10);
      vi.advanceTimersByTime(49);
      expect(later.signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(() => throwIfAborted(later.signal)).toThrow(expect.objectContaining({ reason: "DEADLINE_EXCEEDED" }));
    } finally {
      vi.useRealTimers();
    }
  });

  test("a call that others end says why", () => {
    using call = new CallSignal(undefined);
    call.abort(new LociError("CLOSED", { message: "No more calls." }));
    expect(() => call.throwIfAborted()).toThrow(expect.objectContaining({ reason: "CLOSED" }));
  });

  test("disposing stops the clock", () => {
    vi.useFakeTimers();
    try {
      new CallSignal({ deadline: 60 }, 10)[Symbol.dispose]();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([Number.NaN, Infinity, 1.5, 8.64e15 + 1, "2026-01-01", undefined, new Date()])(
  "%s is no instant",
  (value) => {
    expect(() => parseInstant(value, "createdAt")).toThrow(
      expect.objectContaining({ reason: "INVALID_INSTANT", field: "createdAt" }),
    );
  },
);

test.each([
  ["INVALID_TEXT", true],
  ["MEMORY_NOT_FOUND", true],
  ["BLOCK_EXISTS", true],
  ["VERSION_CONFLICT", true],
  ["BLOCK_READ_ONLY", true],
  ["ROLE_REQUIRED", false],
  ["CANCELLED", false],
  ["STORE_UNAVAILABLE", false],
  ["INTERNAL", false],
] as const)("%s is a refusal of what was asked: %s", (reason, isOne) => {
  expect(isRefusal(new LociError(reason, { message: "x" }))).toBe(isOne);
  expect(isRefusal(new Error(reason))).toBe(false);
});
