import type { CommandNode } from "./command-tree.ts";
import { inQuotes } from "./shell-quotes.ts";

/** A script for bash 3.2 and newer: where nothing is known, names of files. */
export function bashCompletion(nodes: readonly CommandNode[]): string {
  const branches = nodes.map(({ path, commands, options }) => {
    const names = [...commands, ...options].map(({ name }) => name);
    return `    ${inQuotes(path)}) words=${inQuotes(names.join(" "))} ;;`;
  });
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => `    ${inQuotes(`${path} ${name}`.trim())}) words=${inQuotes(choices.join(" "))} ;;`),
  );
  return `# Completion of loci for bash: eval "$(loci completion bash)"
_loci() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' next='' words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    next="\${path:+$path }\${COMP_WORDS[at]}"
    case "$next" in
      ${nodes.flatMap(({ path }) => (path === "" ? [] : [inQuotes(path)])).join("|")}) path=$next ;;
    esac
  done
  case "$path" in
${branches.join("\n")}
  esac
  case "\${path:+$path }$previous" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _loci loci
`;
}
