import {
  type LayoutDefinition,
  LociError,
  type RankProfile,
  type SectionDefinition,
  type SectionSource,
  type ShorteningPolicy,
  shownText,
} from "@loci/domain";
import { contentKind, type Layout, type LayoutSection } from "./layout.ts";

/**
 * Checks a layout that came from outside, as far as its kinds of values too, and fills in its defaults.
 *
 * @param locate says where a path of the layout stands, such as `layouts/mine.toml, line 7`
 * @throws LociError `INVALID_LAYOUT` naming the path, for an unknown field or value, no section, a name, title or source
 *   that is there twice, a number that is not whole or below 0, or no section for given text
 */
export function checkLayout(definition: LayoutDefinition, locate: LocateInLayout = () => undefined): Layout {
  return new LayoutCheck(locate).layout(definition);
}

/** Where a path such as `sections[2].name` stands, in words; `undefined` when it was not read from a text. */
export type LocateInLayout = (path: string) => string | undefined;

/** The most sections a layout may have. */
const maxSections = 64;
const maxTokens = 100_000_000;
const namePattern = /^[a-z][a-z0-9_-]{0,63}$/;
// What Markdown or a tag could be made of is not allowed in a heading.
const titlePattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .,&'()/-]{0,78}[\p{L}\p{M}\p{N}.)])?$/u;
// A name, or a path down from the folder; its last part may stand for every file there.
const fileSource =
  /^(?:file|teamFile):(?=.{1,200}$)(?:(?!\.{1,2}\/)[^\p{C}/\\*]+\/)*(?:(?!\.{1,2}$)[^\p{C}/\\*]+|(?<=\/)\*)$/u;
const blockSource = /^block:[a-z][a-z0-9_]{0,63}$/;
const reservedNames: readonly string[] = ["memory", "procedures", "query"];

const layoutFields = "name, rendering, mode, totalTokens, tokenizer, memoryForm, sections".split(", ");
const sectionFields = "name, title, source, shortening, rank, base, max, floor, maxItems, maxProcedures".split(", ");
const namedSources =
  "system, project, task, coreMemory, turnState, days, history, knowledge, teamMemories, personalMemories".split(", ");
const shortenings: Readonly<Record<ReturnType<typeof contentKind>, readonly ShorteningPolicy[]>> = {
  given: ["never", "characters", "sentences"],
  days: ["characters", "sentences"],
  history: ["history"],
  memories: ["items"],
};

type Fields = Readonly<Record<string, unknown>>;

class LayoutCheck {
  readonly #locate: LocateInLayout;

  constructor(locate: LocateInLayout) {
    this.#locate = locate;
  }

  layout(definition: unknown): Layout {
    const fields = this.#fields(definition, "", layoutFields);
    const { name } = fields;
    if (typeof name !== "string" || !/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name))
      throw this.#invalid("name", "must be 1 to 64 letters, digits, spaces, dots, dashes or underscores");
    const rendering = this.#choice(fields, "rendering", ["xml", "markdown"]) ?? "xml";
    const memoryForm = this.#choice(fields, "memoryForm", ["element", "list"]);
    if (rendering === "markdown" && memoryForm === "element")
      throw this.#invalid("memoryForm", "is element, which only XML has; Markdown lists memories");
    const mode = this.#choice(fields, "mode", ["fill", "cascade", "last", "sequential"]) ?? "fill";
    const tokenizer = this.#choice(fields, "tokenizer", ["approx", "o200k_base", "cl100k_base"]);
    const totalTokens = this.#amount(fields, "totalTokens", "totalTokens");
    return {
      name,
      rendering,
      mode,
      memoryForm: memoryForm ?? (rendering === "xml" ? "element" : "list"),
      ...(tokenizer === undefined ? {} : { tokenizer }),
      ...(totalTokens === undefined ? {} : { totalTokens }),
      sections: this.#sections(fields["sections"]),
    };
  }

  #sections(value: unknown): readonly LayoutSection[] {
    if (!Array.isArray(value) || value.length === 0) throw this.#invalid("sections", "must list at least one section");
    if (value.length > maxSections)
      throw this.#invalid("sections", `lists ${value.length} sections, more than the ${maxSections} allowed`);
    const sections = (value as readonly unknown[]).map((one, index) => this.#section(one, index));
    this.#checkUnique(sections, "name");
    this.#checkUnique(sections, "title");
    this.#checkUnique(sections, "source");
    if (!sections.some(({ source }) => contentKind(source) === "given"))
      throw this.#invalid("sections", "has none for given text, where the notice on retrieved data could stand");
    return sections;
  }

  #section(value: unknown, index: number): LayoutSection {
    const path = `sections[${index}]`;
    const fields = this.#fields(value, path, sectionFields);
    const { name, title } = fields;
    if (typeof name !== "string" || !namePattern.test(name))
      throw this.#invalid(`${path}.name`, "must be 1 to 64 of a-z, 0-9, _ and -, beginning with a letter");
    if (reservedNames.includes(name)) throw this.#invalid(`${path}.name`, `is ${name}, which every layout uses itself`);
    if (title !== undefined && (typeof title !== "string" || !titlePattern.test(title)))
      throw this.#invalid(`${path}.title`, "must be 1 to 80 letters, digits, spaces and plain punctuation");
    const source = this.#source(fields, path);
    const allowed = shortenings[contentKind(source)];
    const shortening = this.#choice(fields, "shortening", allowed, path);
    if (shortening === undefined) throw this.#invalid(`${path}.shortening`, `must be ${allowed.join(" or ")}`);
    const amounts: Partial<Record<AmountField, number>> = {};
    for (const field of ["base", "max", "floor", "maxItems", "maxProcedures"] as const) {
      const amount = this.#amount(fields, field, `${path}.${field}`);
      if (amount !== undefined) amounts[field] = amount;
    }
    const heading = typeof title === "string" ? title : titleOf(name);
    if (heading.toLowerCase() === "query")
      throw this.#invalid(`${path}.title`, "is Query, which every layout uses itself");
    return { name, title: heading, source, shortening, rank: this.#ranks(fields["rank"], index), ...amounts };
  }

  #source(fields: Fields, path: string): SectionSource {
    const { source } = fields;
    if (
      typeof source === "string" &&
      (namedSources.includes(source) || fileSource.test(source) || blockSource.test(source))
    )
      return source as SectionSource;
    throw this.#invalid(
      `${path}.source`,
      `is ${shown(source)}, but must be one of ${namedSources.join(", ")}, block:LABEL, file:NAME, teamFile:NAME, where NAME may be a path such as skills/review.md or skills/*`,
    );
  }

  #ranks(value: unknown, index: number): Readonly<Record<RankProfile, number>> {
    const path = `sections[${index}].rank`;
    if (value === undefined) return { conversation: index + 1, rag: index + 1 };
    if (typeof value === "number") {
      const rank = this.#rank(value, path);
      return { conversation: rank, rag: rank };
    }
    const ranks = this.#fields(value, path, ["conversation", "rag"]);
    return {
      conversation: this.#rank(ranks["conversation"], `${path}.conversation`),
      rag: this.#rank(ranks["rag"], `${path}.rag`),
    };
  }

  #rank(value: unknown, path: string): number {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
    throw this.#invalid(path, `is ${shown(value)}, but must be a whole number from 1`);
  }

  #amount(fields: Fields, field: string, path: string): number | undefined {
    const value = fields[field];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= maxTokens) return value;
    throw this.#invalid(path, `is ${shown(value)}, but must be a whole number from 0`);
  }

  #choice<Choice extends string>(
    fields: Fields,
    field: string,
    choices: readonly Choice[],
    parent = "",
  ): Choice | undefined {
    const value = fields[field];
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw this.#invalid(pathOf(parent, field), `is ${shown(value)}, but must be one of ${choices.join(", ")}`);
  }

  #fields(value: unknown, path: string, known: readonly string[]): Fields {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw this.#invalid(path, `is ${shown(value)}, but must be a table of ${known.join(", ")}`);
    for (const name of Object.keys(value))
      if (!known.includes(name))
        throw this.#invalid(pathOf(path, name.slice(0, 60)), `is not a field; there are ${known.join(", ")}`);
    return value as Fields;
  }

  #checkUnique(sections: readonly LayoutSection[], field: "name" | "title" | "source"): void {
    const seen = new Map<string, number>();
    for (const [index, section] of sections.entries()) {
      const value = field === "title" ? section.title.toLowerCase() : section[field];
      const before = seen.get(value);
      if (before !== undefined)
        throw this.#invalid(`sections[${index}].${field}`, `is ${shown(section[field])}, as in section ${before + 1}`);
      seen.set(value, index);
    }
  }

  #invalid(path: string, fault: string): LociError {
    const place = this.#locate(path);
    return new LociError("INVALID_LAYOUT", {
      message: `${place === undefined ? "" : `${place}: `}${path === "" ? "the layout" : path} ${fault}.`,
      field: path === "" ? "layout" : `layout.${path}`,
      advice: "See docs/guides/choose-a-layout.md for every field of a layout.",
    });
  }
}

type AmountField = Extract<keyof SectionDefinition, "base" | "max" | "floor" | "maxItems" | "maxProcedures">;

function pathOf(parent: string, field: string): string {
  return parent === "" ? field : `${parent}.${field}`;
}

/** `team_goals` as `Team Goals`. */
function titleOf(name: string): string {
  return name
    .split(/[_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

function shown(value: unknown): string {
  if (typeof value === "string") return shownText(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "a list" : "a table";
}
