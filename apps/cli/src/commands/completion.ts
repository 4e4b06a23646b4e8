import { Argument, type Command } from "commander";
import { bashCompletion } from "../completion/bash-completion.ts";
import { commandTree } from "../completion/command-tree.ts";
import { fishCompletion } from "../completion/fish-completion.ts";
import { zshCompletion } from "../completion/zsh-completion.ts";

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `loci completion SHELL`: prints the script by which a shell completes commands, options and their values. */
export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "whose").choices(Object.keys(writers)))
    .description("print the script that completes commands in a shell: bash, zsh or fish")
    .action((shell: keyof typeof writers) => {
      process.stdout.write(writers[shell](commandTree(program)));
    });
}
