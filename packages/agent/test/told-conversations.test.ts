// What adapters in other languages are played: they read golden/conversations.json. Written with `--update`.
import { join } from "node:path";
import { expect, test } from "vitest";
import { toldConversations } from "../src/conformance/index.ts";

test("the conversations of other languages are those of the suite", async () => {
  const file = join(import.meta.dirname, "golden/conversations.json");
  await expect(`${JSON.stringify(toldConversations, undefined, 2)}\n`).toMatchFileSnapshot(file);
});
