import { agentConformance } from "@loci/agent/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { langChainDriver } from "./driver.ts";
import { openedLoci } from "./opened-loci.ts";

let opened: Awaited<ReturnType<typeof openedLoci>>;
beforeAll(async () => {
  opened = await openedLoci();
});
afterAll(() => opened[Symbol.asyncDispose]());

agentConformance({ describe, test }, { driver: langChainDriver, loci: () => opened.loci });
