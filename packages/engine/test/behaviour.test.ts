import { tenantId } from "@loci/domain";
import { lociBehaviour } from "@loci/engine/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

let opened: TestEngine;
let installations = 0;

beforeAll(async () => {
  opened = await TestEngine.open({ clock: Date.now });
});

afterAll(() => opened[Symbol.asyncDispose]());

lociBehaviour(
  { describe, test },
  {
    name: "on the engine",
    // Opening an engine takes longer than most cases. Tenants never see each other, so each case gets tenants of its own.
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) =>
          opened.engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);
