import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detect, detectionPatterns, foundBy, textForms } from "../../src/capture/detection/detect.ts";
import { detectedClasses } from "../../src/capture/detection/detection-pattern.ts";
import { foldedText } from "../../src/capture/detection/folded-text.ts";
import { defaultPolicies, screenText } from "../../src/capture/detection/policies.ts";
import { processorTime } from "../processor-time.ts";
import { propertyRuns } from "../property-runs.ts";

const secret = "ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi";

describe("each pattern", () => {
  test("has a name of its own, and every class has a pattern", () => {
    expect(new Set(detectionPatterns.map(({ name }) => name)).size).toBe(detectionPatterns.length);
    expect(new Set(detectionPatterns.map((pattern) => pattern.class))).toEqual(new Set(detectedClasses));
  });

  test.each(
    detectionPatterns.flatMap((pattern) => pattern.examples.map((text) => [pattern.name, text, pattern] as const)),
  )("%s finds %j", (_, text, pattern) => expect(foundBy(pattern, textForms(text))).not.toEqual([]));

  test.each(
    detectionPatterns.flatMap((pattern) =>
      pattern.counterExamples.map((text) => [pattern.name, text, pattern] as const),
    ),
  )("%s passes over %j", (_, text, pattern) => expect(foundBy(pattern, textForms(text))).toEqual([]));

  // Made of the pattern itself, so that no way to write it is left out; what stands around it only makes it find less.
  test.each(detectionPatterns.filter(({ find }) => !find.unicode).map((pattern) => [pattern.name, pattern] as const))(
    "%s finds nothing in a text without what it needs",
    (_, { find, needs }) => {
      // Letters are compared in lower case: their case makes no difference.
      const inside = new RegExp(find.source.replaceAll(/\(\?<?!(?:\[[^\]]*\]|[^()])*\)/g, "").replaceAll("(?=", "(?:"));
      fc.assert(
        fc.property(fc.stringMatching(inside), (text) => {
          const { lower } = foldedText(text);
          const digits = lower.match(/\d/g)?.length ?? 0;
          const isThere = "digits" in needs ? digits >= needs.digits : needs.some((needed) => lower.includes(needed));
          expect(isThere).toBe(true);
        }),
        { numRuns: propertyRuns(200) },
      );
    },
  );

  test("what a text needs changes nothing of what is found in it", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...detectionPatterns.flatMap(({ examples, counterExamples }) => [...examples, ...counterExamples]),
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const forms = textForms(pieces.join(" "));
        for (const pattern of detectionPatterns)
          expect(foundBy(pattern, forms)).toEqual(foundBy({ ...pattern, needs: { digits: 0 } }, forms));
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

describe("however a secret is dressed", () => {
  test.each([
    ["invisible characters", secret.split("").join("\u200b")],
    [
      "full-width letters",
      secret
        .split("")
        .map((unit) => (/\w/.test(unit) && unit !== "_" ? widened(unit) : unit))
        .join(""),
    ],
    ["letters of other scripts", secret.replaceAll("a", "\u0430").replaceAll("c", "\u0441").replaceAll("H", "\u041d")],
    ["spaces", secret.replaceAll(/(.{5})/g, "$1 ").trim()],
    ["a line break", `${secret.slice(0, 12)}\n${secret.slice(12)}`],
    ["hyphens", secret.replaceAll(/(.{9})/g, "$1-")],
  ])("with %s it is found where it stands", (_, dressed) => {
    const { text, policy, classes } = screenText(`it was ${dressed}, I think <!-- gitleaks:allow -->`);
    expect({ text, policy, classes }).toEqual({
      text: "it was [redacted: token], I think <!-- gitleaks:allow -->",
      policy: "refuse",
      classes: ["token"],
    });
  });

  const privateKey =
    "-----BEGIN RSA PRIVATE KEY-----\nMIIa8Kd03mZqLw72nVbXyT4c9Rf5Hs1\n-----END RSA PRIVATE KEY-----\n";

  test.each([
    ["in JSON, as in the arguments of a tool's call", JSON.stringify({ path: "id_rsa", text: privateKey })],
    ["in JSON in JSON", JSON.stringify({ text: JSON.stringify({ private_key: privateKey, of: "me" }) })],
    ["with line breaks of Windows", JSON.stringify({ text: privateKey.replaceAll("\n", "\r\n") })],
    ["without its end", JSON.stringify({ text: JSON.stringify({ key: privateKey.slice(0, 60), of: "me" }) })],
  ])("a private key is taken out whole %s, and what is around it stays what it was", (_, written) => {
    const { text } = screenText(written);
    expect(text).toContain("[redacted: private_key]");
    expect(text).not.toContain("MIIa8K");
    expect(JSON.parse(text)).toHaveProperty("text");
  });

  function widened(unit: string): string {
    return String.fromCharCode(unit.charCodeAt(0) + 0xfee0);
  }
});

describe("policies", () => {
  test("ways to reach a person are redacted by default", () => {
    expect(screenText("cc jo.berg3@firm.example, or +44 7700 900344")).toEqual({
      text: "cc [email], or [phone]",
      policy: "redact",
      classes: ["email", "phone"],
    });
  });

  test("the strictest decides, and what is allowed is not named", () => {
    const policies = { ...defaultPolicies, token: "quarantine", email: "allow" } as const;
    expect(screenText(`${secret} of jo.berg3@firm.example`, policies)).toEqual({
      text: `${secret} of jo.berg3@firm.example`,
      policy: "quarantine",
      classes: ["token"],
    });
  });
});

describe("for any text", () => {
  const words = fc.array(fc.oneof(fc.lorem({ maxCount: 3 }), fc.string({ unit: "grapheme", maxLength: 12 })), {
    maxLength: 8,
  });

  test("places are in order, apart from each other and inside the text", () => {
    fc.assert(
      fc.property(words, words, (before, behind) => {
        const text = `${before.join(" ")} ${secret} ${behind.join(" ")}`;
        let end = 0;
        for (const found of detect(text)) {
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          end = found.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test("a secret stands nowhere in what is left", () => {
    fc.assert(
      fc.property(words, words, (before, behind) => {
        const { text } = screenText(`${before.join(" ")} ${secret} ${behind.join(" ")}`);
        expect(text.replaceAll(/\s/g, "")).not.toContain(secret);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each(["a", "eyJ", "key ", "password is ", "4000 ", "://a:", "DE12", "sk-proj-", "@a.", "\u0430\u200b"])(
    "256 KB of %j take no longer than prose",
    (unit) => {
      const text = unit.repeat(Math.ceil((256 * 1024) / unit.length));
      expect(processorTime(() => detect(text))).toBeLessThan(5_000);
    },
  );
});
