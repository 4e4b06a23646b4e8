import { agentConformance } from "@loci/agent/conformance";
import { describe, test } from "vitest";
import { openAiAgentsDriver } from "./driver.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();

agentConformance({ describe, test }, { driver: openAiAgentsDriver, loci: () => at.loci });
