import { openLocalEmbedder } from "@loci/embedding";
import { embedderConformance } from "@loci/embedding/conformance";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { describe, test } from "vitest";

embedderConformance({ describe, test }, { name: "local", open: openLocalEmbedder });
embedderConformance({ describe, test }, { name: "for tests", open: async () => deterministicEmbedder() });
