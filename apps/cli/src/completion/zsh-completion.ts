import type { CommandNode, Word } from "./command-tree.ts";
import { inQuotes } from "./shell-quotes.ts";

/** A script for zsh with its completion system loaded: with what each word is for; where nothing is known, names of files. */
export function zshCompletion(nodes: readonly CommandNode[]): string {
  const branches = nodes.map(
    ({ path, commands, options }) =>
      `    ${inQuotes(path)}) commands=(${described(commands)}) options=(${described(options)}) ;;`,
  );
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, choices }) =>
          `    ${inQuotes(`${path} ${name}`.trim())}) ${choices.length === 0 ? "_files" : `compadd -- ${choices.map(inQuotes).join(" ")}`}; return ;;`,
      ),
  );
  return `#compdef loci
# Completion of loci for zsh: source <(loci completion zsh), behind compinit
_loci() {
  local path_so_far='' next='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${path_so_far:+$path_so_far }$word"
    case "$next" in
      ${nodes.flatMap(({ path }) => (path === "" ? [] : [inQuotes(path)])).join("|")}) path_so_far=$next ;;
    esac
  done
  case "\${path_so_far:+$path_so_far }\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$path_so_far" in
${branches.join("\n")}
  esac
  (( \${#commands} )) && _describe command commands
  if [[ $words[CURRENT] == -* ]]; then _describe option options; else _files; fi
}
compdef _loci loci
`;
}

/** Words as `_describe` takes them: a colon parts a word from what it is for. */
function described(words: readonly Word[]): string {
  return words.map(({ name, about }) => inQuotes(`${name}:${about}`)).join(" ");
}
