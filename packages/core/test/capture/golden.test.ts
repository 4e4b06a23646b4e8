import { describe, expect, test } from "vitest";
import {
  type CaptureGates,
  type GatedClaim,
  type SimilarMemory,
  throughGates,
} from "../../src/capture/capture-gates.ts";
import { findQuote, type QuotedTurn } from "../../src/capture/evidence-quotes.ts";
import captureGates from "../golden/capture-gates.json" with { type: "json" };
import evidenceQuotes from "../golden/evidence-quotes.json" with { type: "json" };

interface QuoteInput {
  readonly turns: readonly QuotedTurn[];
  readonly quote: string;
  readonly turn: number;
}

interface GateInput extends CaptureGates {
  readonly candidate: GatedClaim;
  readonly similar: readonly SimilarMemory[];
}

describe("evidence quotes", () => {
  test.each(evidenceQuotes.cases)("$name", ({ in: given, out }) => {
    const { turns, quote, turn } = given as QuoteInput;
    expect(findQuote(turns, quote, turn) ?? { error: "EVIDENCE_NOT_FOUND" }).toEqual(out);
  });
});

describe("capture gates", () => {
  test.each(captureGates.cases)("$name", ({ in: given, out }) => {
    const { candidate, similar, ...gates } = given as GateInput;
    expect(throughGates(candidate, similar, gates)).toEqual(out);
  });
});
