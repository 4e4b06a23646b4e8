import * as api from "@loci/api";
import { expect, test } from "vitest";
import { connected } from "../fixture.ts";
import { sampleMemory as memory } from "../sample-memory.ts";
import { budgetExchanges } from "./budget-exchanges.ts";
import { contextExchanges } from "./context-exchanges.ts";
import { memoryExchanges } from "./memory-exchanges.ts";
import { serverExchanges } from "./server-exchanges.ts";
import { sessionExchanges } from "./session-exchanges.ts";

/** Every method: what the server gets, what it answers, what the caller gets. */
const exchanges = {
  ...memoryExchanges,
  ...sessionExchanges,
  ...contextExchanges,
  ...budgetExchanges,
  ...serverExchanges,
};

test.each(Object.entries(exchanges))("%s", async (method, { call, request, response, result }) => {
  const { loci, server } = await connected(() => response);
  expect(await call(loci)).toStrictEqual(result);
  expect(server.calls).toMatchObject([{ method, request }]);
});

test("every method of the contract is called by one of the client, but for what only operations need", () => {
  const services = [
    api.proto.MemoryServiceService,
    api.proto.SessionServiceService,
    api.proto.ContextServiceService,
    api.proto.OperationServiceService,
    api.proto.MaintenanceServiceService,
    api.proto.StatusServiceService,
  ];
  // Those that stream have tests of their own.
  const methods = services.flatMap((service) =>
    Object.entries(service).flatMap(([name, { responseStream }]) => (responseStream ? [] : name)),
  );
  const viaSettled = ["settleIndexes", "waitOperation", "cancelOperation"];
  expect([...Object.keys(exchanges), ...viaSettled, "getOperation"].toSorted()).toEqual(methods.toSorted());
});

test("a word of a later version is passed on as its number", async () => {
  const { loci } = await connected(() => ({ memory: { ...api.memoryToProto(memory), origin: 99 } }));
  expect(await loci.memories.get(memory.id)).toMatchObject({ origin: "UNKNOWN_99" });
});
