import { agentConformance } from "@loci/agent/conformance";
import { describe, test } from "vitest";
import { mastraDriver } from "./driver.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();

agentConformance({ describe, test }, { driver: mastraDriver, loci: () => at.loci });
