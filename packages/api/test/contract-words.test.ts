import { readdirSync } from "node:fs";
import { LociError } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { RequestForm } from "../src/conversion/request-form.ts";
import { contractPath } from "../src/contract-words.ts";
import { BadRequest } from "../src/gen/google/rpc/error_details.ts";
import { Status } from "../src/gen/google/rpc/status.ts";
import { errorToStatus } from "../src/index.ts";

test.each([
  ["relevanceFloor", "relevance_floor"],
  ["recall.maxTokensPerMemory", "recall.max_tokens_per_memory"],
  ["turns[3].at", "turns[3].time"],
  ["inputs[2].validFrom", "memories[2].valid_from"],
  ["expectedLast", "expected_last_turn"],
  ["precondition.etag", "etag"],
  ["options.requestId", "request_id"],
  ["capture.everyTurns", "capture_every_turns"],
  ["since", "cursor"],
  ["text", "text"],
  ["messages[0].tool_call_id", "messages[0].tool_call_id"],
  ["metadata.teamName", "metadata.teamName"],
  ["inputs[0].metadata.teamName", "memories[0].metadata.teamName"],
  ["values.currentTask", "values.currentTask"],
  ["window.sections.myNotes", "window.sections.myNotes"],
  ["window.safetyBuffer", "window.safety_buffer"],
  ["", ""],
])("%s is called %s in the contract", (here, there) => {
  expect(contractPath(here)).toBe(there);
});

test("the turn state is JSON, whose names are the same in every language", () => {
  const save = "/loci.v1.SessionService/SaveTurnState";
  expect(contractPath("createdAt", save)).toBe("createdAt");
  expect(contractPath("precondition.etag", save)).toBe("etag");
  expect(contractPath("requestId", save)).toBe("request_id");
});

describe("what crosses the wire", () => {
  const sent = (error: LociError): { message: string; field: string | undefined } => {
    const [packed] = errorToStatus(error).metadata.get("grpc-status-details-bin") as Buffer[];
    const { message, details } = Status.decode(packed ?? Buffer.alloc(0));
    const found = details.find(({ typeUrl }) => typeUrl.endsWith("BadRequest"));
    return { message, field: BadRequest.decode(found?.value ?? Buffer.alloc(0)).fieldViolations[0]?.field };
  };

  test("says what the contract calls the field, also in its message", () => {
    const message = "relevanceFloor must be a number from 0 to 1, but is 3.";
    expect(sent(new LociError("INVALID_NUMBER", { message, field: "relevanceFloor" }))).toEqual({
      message: "relevance_floor must be a number from 0 to 1, but is 3.",
      field: "relevance_floor",
    });
  });

  test("says it of one word where the message begins with it", () => {
    const etag = { message: "precondition.etag is not an etag of this block.", field: "precondition.etag" };
    expect(sent(new LociError("INVALID_REQUEST", etag)).message).toBe("etag is not an etag of this block.");
    const first = { message: "first must be a whole number.", field: "first" };
    expect(sent(new LociError("INVALID_NUMBER", first)).message).toBe("first_turn must be a whole number.");
  });

  test("leaves what is no name alone", () => {
    const message = "The first turn is none.";
    expect(sent(new LociError("INVALID_NUMBER", { message, field: "first" }))).toEqual({
      message,
      field: "first_turn",
    });
  });
});

/** What is said in another form there, and called by other names therefore. */
const inAnotherForm: Readonly<Record<string, string>> = {
  after: "after_id",
  details: "details_json",
  memory: "memory_id",
  query: "question",
  rank: "ranking",
};

test("the names of all requests are those of the contract", async () => {
  const conversions = new URL("../src/conversion/", import.meta.url);
  const differing: string[] = [];
  let seen = 0;
  for (const file of readdirSync(conversions)) {
    const conversion = (await import(new URL(file, conversions).href)) as Readonly<Record<string, unknown>>;
    for (const form of Object.values(conversion).filter((value) => value instanceof RequestForm))
      for (const [name, there] of form.wireNames) {
        seen += 1;
        const expected = there.replaceAll(/[A-Z]/g, (letter: string) => `_${letter.toLowerCase()}`);
        if (contractPath(name) !== expected && inAnotherForm[name] !== expected)
          differing.push(`${file}: ${name} is ${expected}`);
      }
  }
  expect(seen).toBeGreaterThan(100);
  expect(differing).toEqual([]);
});
