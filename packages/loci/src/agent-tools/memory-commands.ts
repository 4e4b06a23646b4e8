import { checkBlockValues, operationsOfWrite, readBlockMarkdown } from "@loci/core";
import { type BlockSchema, type Loci, LociError, type ScopeInput } from "@loci/domain";
import { shownToModel } from "./edit-memory-block.ts";

/** A command of Anthropic's memory tool. */
export interface MemoryCommand {
  readonly command: string;
  readonly path?: string | undefined;
  readonly view_range?: readonly number[] | undefined;
  readonly file_text?: string | undefined;
  readonly old_str?: string | undefined;
  readonly new_str?: string | undefined;
  readonly insert_line?: number | undefined;
  readonly insert_text?: string | undefined;
}

const directory = "/memories";
const file = /^\/memories\/([a-z][a-z0-9_]{0,63})\.md$/u;

/**
 * Does what a model asked of Anthropic's memory tool, over the blocks of an owner as `/memories/LABEL.md`. `view` shows the
 * Markdown of a block; `create`, `str_replace` and `insert` each propose an edit. Blocks are made, deleted and renamed by
 * people only.
 *
 * @returns what the model is to be shown, also when it was refused
 */
export async function runMemoryCommand(loci: Loci, owner: ScopeInput, command: MemoryCommand): Promise<string> {
  return shownToModel(async () => {
    const { path = "" } = command;
    if (command.command === "view" && (path === directory || path === `${directory}/`)) {
      const blocks = await loci.blocks.list({ owner });
      return [`Files in ${directory}:`, ...blocks.map(({ label }) => `${directory}/${label}.md`)].join("\n");
    }
    const label = file.exec(path)?.[1];
    if (label === undefined) throw noSuchFile();
    const block = await loci.blocks.get({ owner, label });
    if (command.command === "view") return shownLines(block.markdown, command.view_range);
    const markdown = changedText(block.markdown, command);
    const schemas = await loci.blocks.schemas.list();
    const schema = schemas.find(({ name }) => name === block.schema) as BlockSchema;
    const after = checkBlockValues(schema, readBlockMarkdown(label, schema, markdown));
    const operations = operationsOfWrite(schema, block.values, after);
    if (operations.length === 0) return "Nothing changed.";
    const edit = await loci.blocks.propose({ owner, label, baseVersion: block.version, operations });
    return edit.state === "pending"
      ? `Proposed as ${edit.id}. A person decides about it; until then the file stays as it is.`
      : `Done: ${edit.id}.`;
  });
}

function changedText(text: string, command: MemoryCommand): string {
  const { file_text: whole, old_str: old, new_str: replacement = "", insert_line: line, insert_text: added } = command;
  switch (command.command) {
    case "create":
      if (whole !== undefined) return whole;
      throw invalid("file_text is missing.");
    case "str_replace": {
      const place = old === undefined || old === "" ? -1 : text.indexOf(old);
      if (old === undefined || place < 0) throw invalid("old_str does not stand in the file.");
      if (text.includes(old, place + 1)) throw invalid("old_str stands more than once in the file.");
      return text.slice(0, place) + replacement + text.slice(place + old.length);
    }
    case "insert": {
      const lines = text.split("\n");
      if (added === undefined || line === undefined || !Number.isInteger(line) || line < 0 || line > lines.length)
        throw invalid(`insert_line must be from 0 to ${lines.length}, and insert_text be given.`);
      const inserted = added.endsWith("\n") ? added.slice(0, -1) : added;
      return lines.toSpliced(line, 0, inserted).join("\n");
    }
    default:
      throw new LociError("UNSUPPORTED_OPERATION", {
        message: "Files here are made, deleted and renamed by people only.",
        advice: "Use view, create, str_replace or insert on a file that is there.",
      });
  }
}

/** With the numbers of the lines, as the tool's own files are shown. */
function shownLines(text: string, range: readonly number[] | undefined): string {
  const [first = 1, last = -1] = range ?? [];
  const lines = text.split("\n").map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
  return lines.slice(Math.max(0, first - 1), last < 0 ? undefined : last).join("\n");
}

function noSuchFile(): LociError {
  return invalid("There is no such file.", `Files are called ${directory}/LABEL.md: view ${directory} to see them.`);
}

function invalid(message: string, advice = "View the file, and try again."): LociError {
  return new LociError("INVALID_REQUEST", { message, advice });
}
