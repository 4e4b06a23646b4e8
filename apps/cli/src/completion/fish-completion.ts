import type { CommandNode } from "./command-tree.ts";
import { inFishQuotes } from "./shell-quotes.ts";

/** A script for fish 3 and newer: with what each word is for; where nothing is known, names of files. */
export function fishCompletion(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const at = `complete -c loci -n ${inFishQuotes(`__loci_is_at ${inFishQuotes(path)}`)}`;
    return [
      ...commands.map(({ name, about }) => `${at} -f -a ${inFishQuotes(name)} -d ${inFishQuotes(about)}`),
      ...options.map(({ name, about, takesValue, choices }) => {
        const value = !takesValue ? "" : choices.length === 0 ? " -r" : ` -x -a ${inFishQuotes(choices.join(" "))}`;
        return `${at} -l ${inFishQuotes(name.replace(/^--/, ""))}${value} -d ${inFishQuotes(about)}`;
      }),
    ];
  });
  const paths = nodes.flatMap(({ path }) => (path === "" ? [] : [inFishQuotes(path)]));
  return `# Completion of loci for fish: loci completion fish | source
function __loci_is_at
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$path $word")
    contains -- "$next" ${paths.join(" ")}; and set path $next
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}
