import type { MessageInitShape } from "@bufbuild/protobuf";
import { FilterOperator, type FilterSchema, type ValueSchema } from "@loci/api-web";
import { signsOfType, typeOfField, whereFields, type WhereType } from "./where-fields.ts";
import { WhereError, type WhereToken, whereTokens } from "./where-tokens.ts";

type Filter = MessageInitShape<typeof FilterSchema>;
type Value = MessageInitShape<typeof ValueSchema>;

/** As many as the server takes. */
const mostLevels = 16;

const operators: Readonly<Record<string, FilterOperator>> = {
  "=": FilterOperator.EQUALS,
  "!=": FilterOperator.NOT_EQUALS,
  "<": FilterOperator.LESS_THAN,
  "<=": FilterOperator.AT_MOST,
  ">": FilterOperator.GREATER_THAN,
  ">=": FilterOperator.AT_LEAST,
  in: FilterOperator.IN,
  "not in": FilterOperator.NOT_IN,
  has: FilterOperator.CONTAINS,
};

/**
 * The filter that somebody typed, such as `importance >= 0.7 and (tags has billing or not category = note)`. Undefined for an empty one.
 *
 * @throws WhereError that says what is wrong, and where
 */
export function whereFilter(text: string): Filter | undefined {
  const reader = new WhereReader(whereTokens(text));
  return reader.next.kind === "end" ? undefined : reader.whole();
}

class WhereReader {
  readonly #tokens: readonly WhereToken[];
  #place = 0;

  constructor(tokens: readonly WhereToken[]) {
    this.#tokens = tokens;
  }

  get next(): WhereToken {
    return this.#tokens[Math.min(this.#place, this.#tokens.length - 1)] as WhereToken;
  }

  whole(): Filter {
    const filter = this.#either(1);
    if (this.next.kind === "end") return filter;
    throw this.#unexpected("and, or, or nothing more");
  }

  #either(level: number): Filter {
    const filters = [this.#all(level)];
    while (this.#takes("word", "or")) filters.push(this.#all(level));
    return filters.length === 1 ? (filters[0] as Filter) : { kind: { case: "any", value: { filters } } };
  }

  #all(level: number): Filter {
    const filters = [this.#one(level)];
    while (this.#takes("word", "and")) filters.push(this.#one(level));
    return filters.length === 1 ? (filters[0] as Filter) : { kind: { case: "all", value: { filters } } };
  }

  #one(level: number): Filter {
    const { at } = this.next;
    if (level > mostLevels) throw new WhereError(`There are more than ${mostLevels} levels.`, at);
    if (this.#takes("word", "not")) return { kind: { case: "not", value: this.#one(level + 1) } };
    if (!this.#takes("sign", "(")) return this.#comparison();
    const filter = this.#either(level + 1);
    this.#expect(")");
    return filter;
  }

  #comparison(): Filter {
    const { kind, text: field, at } = this.next;
    if (kind !== "word") throw this.#unexpected("a field, such as category");
    const type = typeOfField(field);
    if (type === undefined) throw new WhereError(`There is no field ${field}. There are ${whereFields}.`, at);
    this.#place++;
    const sign = this.#sign(field, type);
    const values = sign === "in" || sign === "not in" ? this.#values(type) : [this.#value(type)];
    return {
      kind: { case: "comparison", value: { field, operator: operators[sign] ?? FilterOperator.UNSPECIFIED, values } },
    };
  }

  #sign(field: string, type: WhereType): string {
    const { text, at } = this.next;
    const sign = this.#takes("word", "not") ? `not ${this.next.text}` : text;
    const known = signsOfType[type];
    if (!known.includes(sign)) throw new WhereError(`Behind ${field} stands one of ${known.join(" ")}.`, at);
    this.#place++;
    return sign;
  }

  #values(type: WhereType): Value[] {
    this.#expect("(");
    const values = [this.#value(type)];
    while (this.#takes("sign", ",")) values.push(this.#value(type));
    this.#expect(")");
    return values;
  }

  #value(type: WhereType): Value {
    const { kind, text, at } = this.next;
    if (kind !== "word" && kind !== "quoted") throw this.#unexpected("a value");
    this.#place++;
    const value = kind === "quoted" && type === "any" ? textValue(text) : valueOf(text, type);
    if (value === undefined) throw new WhereError(`${text} is not ${wantedOf(type)}.`, at);
    return value;
  }

  #takes(kind: WhereToken["kind"], text: string): boolean {
    const { next } = this;
    const isIt = next.kind === kind && next.text.toLowerCase() === text;
    if (isIt) this.#place++;
    return isIt;
  }

  #expect(sign: string): void {
    if (!this.#takes("sign", sign)) throw this.#unexpected(sign);
  }

  #unexpected(wanted: string): WhereError {
    const { kind, text, at } = this.next;
    return new WhereError(
      kind === "end" ? `It ends where there should be ${wanted}.` : `Instead of ${text} there should be ${wanted}.`,
      at,
    );
  }
}

function textValue(text: string): Value {
  return { kind: { case: "text", value: text } };
}

function valueOf(text: string, type: WhereType): Value | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const isTruth = text === "true" || text === "false";
  if (type === "text" || type === "list") return textValue(text);
  if ((type === "boolean" || type === "any") && isTruth) return { kind: { case: "boolean", value: text === "true" } };
  if (type === "boolean") return undefined;
  if (Number.isFinite(number)) return { kind: { case: "number", value: number } };
  if (type === "any") return textValue(text);
  const time = type === "time" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : { kind: { case: "number", value: time } };
}

function wantedOf(type: WhereType): string {
  if (type === "time") return "a time, such as 2026-11-03";
  return type === "boolean" ? "true or false" : "a number";
}
