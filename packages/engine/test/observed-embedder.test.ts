import { embedderConformance } from "@loci/embedding/conformance";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { describe, test } from "vitest";
import { observedEmbedder } from "../src/calls/observed-models.ts";

// Watching an embedder changes nothing of what it does.
embedderConformance(
  { describe, test },
  { name: "observed", open: async () => observedEmbedder(deterministicEmbedder()) },
);
