import {
  getInteropZodObjectShape,
  type InteropZodObject,
  type InteropZodType,
  interopSafeParse,
  interopZodObjectPartial,
} from "@langchain/core/utils/types";
import { LociError } from "@loci/domain";

/** The same schema, to which nothing is missing: LangChain's own complaint does not say that it is about who speaks. */
export function lenientSchema<Schema extends InteropZodObject>(schema: Schema): Schema {
  return interopZodObjectPartial(schema) as Schema;
}

/**
 * What LangChain read from a context by {@link lenientSchema}, with what the schema says in the place of what was left out.
 *
 * @throws LociError `SCOPE_REQUIRED` that names what is missing
 */
export function knownContext(schema: InteropZodObject, context: unknown): Readonly<Record<string, unknown>> {
  const given = (context ?? {}) as Readonly<Record<string, unknown>>;
  const known: Record<string, unknown> = { ...given };
  const missing: string[] = [];
  for (const [name, field] of Object.entries(getInteropZodObjectShape(schema) as Record<string, InteropZodType>)) {
    if (given[name] !== undefined) continue;
    const left = interopSafeParse(field, undefined);
    if (left.success) known[name] = left.data;
    else missing.push(name);
  }
  if (missing.length === 0) return known;
  const names = missing.join(", ");
  throw new LociError("SCOPE_REQUIRED", {
    message: `The agent was called without ${names} in its context, by which the application says who speaks. The model was not called.`,
    field: `context.${missing[0]}`,
    advice: `Pass it with each call: agent.invoke(input, { context: { ${missing.map((name) => `${name}: …`).join(", ")} } }).`,
  });
}
