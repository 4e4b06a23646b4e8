import { tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { History, operation } from "./support/history.ts";
import { TestEngine } from "./support/test-engine.ts";

test("any history gives what a simple model foretells, wherever the drainers stand", async () => {
  await using opened = await TestEngine.open();
  let runs = 0;
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 5, maxLength: 40, size: "max" }),
    async (operations) => {
      const history = new History(opened, tenantId(`run-${++runs}`));
      for (const step of operations) await history.run(step);
      await history.check();
    },
  );
  await expect(fc.assert(property, { seed: 20_260_301, numRuns: 30 })).resolves.toBeUndefined();
});
