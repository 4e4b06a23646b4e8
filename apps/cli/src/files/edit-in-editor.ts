import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError } from "@loci/domain";

/**
 * Lets a person edit a text with `$VISUAL` or `$EDITOR`.
 *
 * @param name of the file, whose ending tells the editor what it is
 * @throws LociError `INVALID_CONFIGURATION` when there is no editor, or it fails
 */
export async function editInEditor(name: string, text: string): Promise<string> {
  const editor = process.env["VISUAL"] ?? process.env["EDITOR"];
  if (editor === undefined || editor.trim() === "")
    throw editorProblem("No editor is set.", "Set EDITOR, or pass the content with --file.");
  const folder = mkdtempSync(join(tmpdir(), "loci-edit-"));
  try {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    // As git does it: the variable may hold arguments.
    const [program = "", ...words] = editor.trim().split(/\s+/u);
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(program, [...words, file], { stdio: "inherit" });
      child.once("error", (error) => reject(editorProblem(`${program} cannot be started.`, "Set EDITOR.", error)));
      child.once("exit", resolve);
    });
    if (code !== 0) throw editorProblem("The editor ended with an error.", "Nothing was changed: try again.");
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function editorProblem(message: string, advice: string, cause?: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", { message, advice, cause });
}
