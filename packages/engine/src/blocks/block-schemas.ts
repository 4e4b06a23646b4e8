import { checkBlockSchema, shippedSchemas } from "@loci/core";
import { authorize, blockLabel, type BlockSchema, globalScope, LociError, type Ref, type Version } from "@loci/domain";
import { blockFamily, blockSchemaFamily, type ResourceWritten, type StoredResource } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";
import { isVersionConflict } from "../calls/version-conflict.ts";
import type { BlockServices } from "./block-services.ts";

/** A schema by its name, and whether it comes with Loci. */
export interface KnownSchema {
  readonly schema: BlockSchema;
  readonly isShipped: boolean;
}

/** Most schemas of a tenant. */
export const maxSchemas = 1_000;

type Reading = Pick<BlockServices, "ledger">;

/** @throws LociError `SCHEMA_NOT_FOUND` */
export async function knownSchema(services: Reading, call: Call, name: string): Promise<KnownSchema> {
  const shipped = shippedSchemas.find((schema) => schema.name === name);
  if (shipped !== undefined) return { schema: shipped, isShipped: true };
  const stored = await storedSchema(services, call, blockLabel(name, "schema"));
  if (stored?.state === undefined) throw schemaNotFound(name);
  return { schema: stored.state as BlockSchema, isShipped: false };
}

/** Makes a form of blocks known in the tenant. */
export async function createSchema(services: BlockServices, call: Call, schema: BlockSchema): Promise<BlockSchema> {
  const checked = checkBlockSchema(schema);
  authorize(call.principal, "admin", [globalScope]);
  const { name } = checked;
  if (shippedSchemas.some((shipped) => shipped.name === name)) throw schemaExists(name);
  const idempotency = idempotencyOf("createBlockSchema", schema, call.options);
  const former = await storedSchema(services, call, name);
  const version = former?.version ?? 0;
  if (former?.state !== undefined && idempotency === undefined) throw schemaExists(name);
  if ((await listStored(services, call)).length >= maxSchemas) throw tooManySchemas();
  const ref = schemaRef(name);
  // With a key, the commit finds out whether this is a repetition; else it finds the schema.
  const change = schemaWritten(checked, former?.state === undefined ? version + 1 : 1);
  const expect = [{ ref, version: change.version - 1 }];
  const { signal, principal } = call;
  try {
    await services.ledger.commit({ ...authoredBy(principal), idempotency, expect, changes: [change] }, { signal });
  } catch (error) {
    if (isVersionConflict(error)) throw schemaExists(name);
    throw error;
  }
  return checked;
}

/** Those that come with Loci, then those of the tenant by name. */
export async function listSchemas(services: BlockServices, call: Call): Promise<readonly BlockSchema[]> {
  authorize(call.principal, "read", []);
  const stored = (await listStored(services, call)).map(({ state }) => state as BlockSchema);
  return [...shippedSchemas, ...stored.toSorted((left, right) => (left.name < right.name ? -1 : 1))];
}

/** Removes a form that no block has. */
export async function deleteSchema(services: BlockServices, call: Call, name: string): Promise<void> {
  const label = blockLabel(name, "schema");
  const { principal, signal } = call;
  authorize(principal, "admin", [globalScope]);
  if (shippedSchemas.some((shipped) => shipped.name === label))
    throw schemaInUse(
      label,
      "comes with Loci",
      "It is there in every tenant. Leave it unused, or make a schema of another name.",
    );
  const idempotency = idempotencyOf("deleteBlockSchema", name, call.options);
  if (idempotency !== undefined) {
    const answered = await services.ledger.answered(
      principal.tenant,
      { subject: principal.subject, ...idempotency },
      { signal },
    );
    if (answered !== undefined) return;
  }
  const stored = await storedSchema(services, call, label);
  if (stored?.state === undefined) throw schemaNotFound(label);
  const [used] = await services.ledger.resources.list(
    principal.tenant,
    { family: blockFamily, group: label, limit: 1 },
    { signal },
  );
  if (used !== undefined) throw schemaInUse(label, "is the schema of a block", "Delete the blocks that have it first.");
  const { ref, version } = stored;
  await services.ledger.commit(
    {
      ...authoredBy(principal),
      idempotency,
      expect: [{ ref, version }],
      changes: [
        { type: "resourceRemoved", family: blockSchemaFamily, kind: "schemaRemoved", ref, version: version + 1 },
      ],
    },
    { signal },
  );
}

/** The version of a schema that is to be written. */
export function schemaWritten(schema: BlockSchema, version: Version): ResourceWritten {
  return {
    type: "resourceWritten",
    family: blockSchemaFamily,
    kind: "schemaWritten",
    ref: schemaRef(schema.name),
    version,
    scope: globalScope,
    state: schema,
  };
}

async function storedSchema(
  { ledger }: Reading,
  { principal, signal }: Call,
  name: string,
): Promise<StoredResource | undefined> {
  const ref = schemaRef(name);
  return (await ledger.resources.get(principal.tenant, blockSchemaFamily, [ref], { signal })).get(ref);
}

/** Those that the tenant has made. */
export async function listStored({ ledger }: Reading, { principal, signal }: Call): Promise<readonly StoredResource[]> {
  return ledger.resources.list(
    principal.tenant,
    { family: blockSchemaFamily, scopes: [globalScope], limit: maxSchemas },
    { signal },
  );
}

export function schemaRef(name: string): Ref {
  return uuidOfName(0, ["blockSchema", name]);
}

function schemaNotFound(name: string): LociError {
  return new LociError("SCHEMA_NOT_FOUND", {
    message: `No schema is called ${name}.`,
    field: "schema",
    resource: name,
    advice: `A block has the schema that is called like its label, unless schema names another one. Those that come with Loci are ${shippedSchemas.map((shipped) => shipped.name).join(", ")}; list the schemas to see yours.`,
  });
}

function schemaExists(name: string): LociError {
  return new LociError("SCHEMA_EXISTS", {
    message: `There is a schema ${name}.`,
    field: "schema.name",
    resource: name,
    advice: "Use another name. A schema is not changed, because blocks may have it.",
  });
}

function schemaInUse(name: string, why: string, advice: string): LociError {
  return new LociError("SCHEMA_IN_USE", {
    message: `The schema ${name} ${why}.`,
    resource: name,
    advice,
  });
}

function tooManySchemas(): LociError {
  return new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `There are ${maxSchemas} schemas, which is as many as there may be.`,
    field: "schema",
    advice: "Delete one that no block has.",
  });
}
