import { expect, test } from "vitest";
import { checkFields, LociError } from "../src/index.ts";

function adviceOn(value: unknown): string | undefined {
  try {
    checkFields(value, new Set(["scopes", "limit", "timeZone"]), "request");
    return undefined;
  } catch (error) {
    return LociError.is(error) ? error.advice : String(error);
  }
}

test("a misspelt field is refused with the one that was meant, and with all there are", () => {
  expect(adviceOn({ scope: [] })).toBe("Did you mean scopes? Known fields: scopes, limit, timeZone.");
  expect(adviceOn({ timezone: "UTC" })).toBe("Did you mean timeZone? Known fields: scopes, limit, timeZone.");
  expect(adviceOn({ colour: "red" })).toBe("Known fields: scopes, limit, timeZone.");
  expect(adviceOn({ limit: 1 })).toBeUndefined();
});
