import { z } from "zod";

/** Whose days `yesterday` and `last month` are, for tools that are asked a question. */
export const timeZoneParameter: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe("Whose yesterday is meant, such as Europe/Berlin.");

/** That of this computer, which is mostly that of the person. */
export function timeZoneOfComputer(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
