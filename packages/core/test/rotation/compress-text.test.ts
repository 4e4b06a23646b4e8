import fc from "fast-check";
import { expect, test } from "vitest";
import { type CompressionStrategy, compressText } from "../../src/index.ts";
import golden from "../golden/rotation-compress.json" with { type: "json" };
import { propertyRuns } from "../property-runs.ts";

const strategies: readonly CompressionStrategy[] = ["aggressive", "preservative", "adaptive"];
const page = fc
  .array(
    fc.oneof(fc.constantFrom("[TASK] a", "[USER] b", "[CONTEXT] c", "[x", "", "😀😀"), fc.string({ unit: "binary" })),
  )
  .map((lines) => lines.join("\n"));

test.each(golden.cases)("golden: $name", ({ in: { strategy, content, targetChars }, out }) => {
  expect(compressText(content, strategy as CompressionStrategy, targetChars)).toBe(out.content);
});

test("never exceeds its target", () => {
  fc.assert(
    fc.property(page, fc.constantFrom(...strategies), fc.nat(80), (content, strategy, targetChars) => {
      expect(compressText(content, strategy, targetChars).length).toBeLessThanOrEqual(targetChars);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("leaves alone what fits", () => {
  fc.assert(
    fc.property(page, fc.constantFrom(...strategies), fc.nat(5), (content, strategy, room) => {
      expect(compressText(content, strategy, content.length + room)).toBe(content);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test.each(["preservative", "adaptive"] as const)("%s makes up no line and changes no order", (strategy) => {
  fc.assert(
    fc.property(page, fc.nat(80), (content, target) => {
      const left = content.split("\n");
      // An empty text is no line at all, so empty lines are left out of the comparison.
      const kept = compressText(content, strategy, target)
        .split("\n")
        .filter((line) => line !== "");
      const inOrder = kept.every((line) => {
        const place = left.indexOf(line);
        left.splice(0, place + 1);
        return place !== -1;
      });
      expect(inOrder).toBe(true);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test.each([-1, 0.5, Number.NaN])("refuses the target %d", (target) => {
  expect(() => compressText("text", "adaptive", target)).toThrow(expect.objectContaining({ reason: "INVALID_NUMBER" }));
});
