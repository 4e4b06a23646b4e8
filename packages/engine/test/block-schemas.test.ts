import { tenantId } from "@loci/domain";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

test("who gives a block a label of their own is told where its schema comes from", async () => {
  await using opened = await TestEngine.open();
  const loci = opened.engine.for({
    tenant: tenantId("acme"),
    subject: "admin",
    roles: ["admin"],
    scopePatterns: ["*"],
  });
  const block = { owner: "user:ann", label: "travels", values: { name: "Ann" } } as const;
  await expect(loci.blocks.create(block)).rejects.toMatchObject({
    reason: "SCHEMA_NOT_FOUND",
    advice: expect.stringContaining("called like its label, unless schema names another one"),
  });
  await expect(loci.blocks.create({ ...block, schema: "human" })).resolves.toMatchObject({ schema: "human" });
});
