import { basename, extname } from "node:path";
import { LociError } from "@loci/domain";

const limits = "<!-- BUDGET:";
const example = "<!-- BUDGET: 80 lines, 2000 tokens -->";

/**
 * Whether somebody wrote a file as a core memory: it begins with its limits, or is called so. Any other text would stand in every
 * context from then on, whoever it was written for.
 *
 * @throws LociError `INVALID_BLOCK_TEXT`
 */
export function checkCoreMemoryFile(path: string, text: string): void {
  if (text.startsWith(limits) || /^core[_-]memory$/iu.test(basename(path, extname(path)))) return;
  const isBlock = extname(path).toLowerCase() === ".toml";
  throw new LociError("INVALID_BLOCK_TEXT", {
    message: `${path} is no core memory: it does not begin with its limits, such as ${example}, and is not called CORE_MEMORY.md.`,
    resource: path,
    advice: isBlock
      ? "Name the folder in which it is blocks/LABEL.toml; or make the block of the file: loci blocks create LABEL --file FILE."
      : `It would stand whole in every context. If that is meant, begin it with ${example}, or name the block that it becomes: --label core_memory. To have its parts found when they matter: loci import FILE.`,
  });
}
