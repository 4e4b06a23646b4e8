// The table of tools, as other languages read it: Python's is generated of golden/tools.json. Written with `--update`.
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentTools } from "../src/index.ts";

test("the tools of other languages are those of the table", async () => {
  const table = agentTools.map(({ name, description, inputSchema, showsMemory }) => ({
    name,
    description,
    inputSchema,
    showsMemory,
  }));
  const file = join(import.meta.dirname, "golden/tools.json");
  await expect(`${JSON.stringify(table, undefined, 2)}\n`).toMatchFileSnapshot(file);
});
