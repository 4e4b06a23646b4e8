import { z } from "zod";

/** Whose days `yesterday` and `last month` are, for tools that are asked a question. */
export const timeZoneParameter: z.ZodDefault<z.ZodString> = z
  .string()
  .default(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  .describe("Whose days are meant by yesterday, such as Europe/Berlin.");
