import {
  checkChoice,
  checkFields,
  type Filter,
  type FilterComparison,
  type FilterValue,
  LociError,
  type MemoryRecord,
  type Metadata,
  metadataNamePattern,
} from "@loci/domain";
import { type IndexFields, matchesFieldsOf } from "@loci/store";
import { indexFieldOf, indexFieldsOf } from "./index-fields.ts";

const metadataTypes = ["string", "number", "boolean"] as const;

/** What a metadata field holds, wherever it stands. */
export type MetadataType = (typeof metadataTypes)[number];

/** The metadata that filters can ask for, by name. */
export type MetadataFields = Readonly<Record<string, MetadataType>>;

const maxFields = 64;
const metadataPrefix = "metadata.";

/**
 * The metadata that was declared: its values have their type, indexes hold it, and filters may ask for it. Whatever else a
 * memory carries is kept and given back, and is nothing to search by.
 */
export class DeclaredMetadata {
  readonly #types: ReadonlyMap<string, MetadataType>;

  /** @throws LociError `INVALID_CONFIGURATION` for a bad name, an unknown type or more than 64 fields */
  constructor(fields: MetadataFields = {}) {
    checkFields(fields, new Set(Object.keys(fields)), "metadataFields");
    const entries = Object.entries(fields);
    if (entries.length > maxFields)
      throw invalidConfiguration(
        "metadataFields",
        `declares ${entries.length} fields, but at most ${maxFields} are allowed`,
      );
    for (const [name] of entries)
      if (!metadataNamePattern.test(name))
        throw invalidConfiguration(
          `metadataFields.${name.slice(0, 80)}`,
          "is not a good name: a letter, then letters, digits and _",
        );
    this.#types = new Map(
      entries.map(([name, type]) => [name, checkChoice(type, metadataTypes, `metadataFields.${name}`)]),
    );
  }

  /** Equal for equal declarations, in whatever order. */
  get fingerprint(): string {
    return JSON.stringify([...this.#types].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** What a filter can ask about a memory. Values of another type, written before the declaration, are left out. */
  indexFieldsOf(memory: MemoryRecord): IndexFields {
    if (this.#types.size === 0) return indexFieldsOf(memory, {});
    const declared: Record<string, Metadata[string]> = {};
    for (const name of this.#types.keys()) {
      const value = this.#valueOf(memory, name);
      if (value !== undefined) declared[name] = value;
    }
    return indexFieldsOf(memory, declared);
  }

  /** As `matchesFilter` says of these fields. Only those that the filter asks for are read. */
  matches(filter: Filter, memory: MemoryRecord): boolean {
    return matchesFieldsOf(filter, (field) =>
      field.startsWith(metadataPrefix)
        ? this.#valueOf(memory, field.slice(metadataPrefix.length))
        : indexFieldOf(memory, field),
    );
  }

  #valueOf({ metadata }: MemoryRecord, name: string): Metadata[string] | undefined {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return typeof value === this.#types.get(name) ? value : undefined;
  }

  /**
   * @param metadata already checked to be good metadata
   * @param path where it stood, such as `metadata`
   * @throws LociError `INVALID_METADATA` for a declared field with a value of another type
   */
  checkMetadata(metadata: Metadata | undefined, path: string): void {
    if (metadata === undefined) return;
    for (const [name, type] of this.#types) {
      if (!Object.hasOwn(metadata, name) || typeof metadata[name] === type) continue;
      throw new LociError("INVALID_METADATA", {
        message: `${path}.${name} is of type ${typeof metadata[name]}, but was declared to be of type ${type}.`,
        field: `${path}.${name}`,
        advice: `Pass a ${type}, or another name for what is not one.`,
      });
    }
  }

  /**
   * @param filter already checked to be a good filter
   * @throws LociError `INVALID_FILTER` for metadata that was not declared, or that is compared with another type
   */
  checkFilter(filter: Filter | undefined, path: string): void {
    if (filter === undefined) return;
    if ("and" in filter) filter.and.forEach((part, index) => this.checkFilter(part, `${path}.and[${index}]`));
    else if ("or" in filter) filter.or.forEach((part, index) => this.checkFilter(part, `${path}.or[${index}]`));
    else if ("not" in filter) this.checkFilter(filter.not, `${path}.not`);
    else this.#checkComparison(filter, path);
  }

  #checkComparison({ field, operator, value }: FilterComparison, path: string): void {
    if (!field.startsWith(metadataPrefix)) return;
    const type = this.#types.get(field.slice(metadataPrefix.length));
    if (type === undefined) throw this.#invalidFilter(`${path}.field`, `is ${field}, which is not declared`);
    const values = Array.isArray(value) ? (value as readonly FilterValue[]) : [value as FilterValue];
    if (operator === "contains" || values.some((single) => typeof single !== type))
      throw this.#invalidFilter(`${path}.value`, `cannot be compared with ${field}, which is one ${type}`);
  }

  #invalidFilter(field: string, problem: string): LociError {
    const declared = [...this.#types].map(([name, type]) => `metadata.${name} (${type})`).join(", ");
    return new LociError("INVALID_FILTER", {
      message: `${field} ${problem}. Declared: ${declared === "" ? "nothing" : declared}.`,
      field,
      advice:
        "Declare the metadata that filters ask for in the option metadataFields, or in the server's configuration.",
    });
  }
}

function invalidConfiguration(field: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} ${problem}.`,
    field,
    advice: 'Declare metadata as { area: "string", priority: "number", done: "boolean" }.',
  });
}
