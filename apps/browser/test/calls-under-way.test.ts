import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { CallsUnderWay } from "../src/gateway/calls-under-way.ts";

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

test("calls of one key are no more than allowed at once, others have theirs, and one that is over makes room", () => {
  const underWay = new CallsUnderWay();
  const first = response();
  expect(underWay.begin("ann", first)).toBe(true);
  for (let count = 1; count < 64; count++) expect(underWay.begin("ann", response())).toBe(true);
  expect([underWay.begin("ann", response()), underWay.begin("bob", response())]).toEqual([false, true]);
  first.emit("close");
  expect([underWay.begin("ann", response()), underWay.begin("ann", response())]).toEqual([true, false]);
});
