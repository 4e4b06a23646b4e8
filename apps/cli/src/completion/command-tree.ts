import type { Command } from "commander";

/** What can stand behind a command and the commands before it. */
export interface CommandNode {
  /** The words that lead here, such as `blocks list`; empty at the top. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
}

/** Something that can be typed, and what it is for. */
export interface Word {
  readonly name: string;
  readonly about: string;
}

/** An option by its long name, such as `--scope`. */
export interface OptionWord extends Word {
  readonly takesValue: boolean;
  /** What its value can be, where that is known. */
  readonly choices: readonly string[];
}

/** The commands and options of a program, from the top. Every shell's completion is written from these. */
export function commandTree(program: Command, path = ""): CommandNode[] {
  const node: CommandNode = {
    path,
    commands: program.commands.map((command) => ({ name: command.name(), about: firstLine(command.description()) })),
    options: [
      ...program.options.flatMap(({ long, description, required, optional, argChoices, hidden }) =>
        long === undefined || long === null || hidden
          ? []
          : [
              {
                name: long,
                about: firstLine(description),
                takesValue: required || optional,
                choices: argChoices ?? [],
              },
            ],
      ),
      { name: "--help", about: "show the help", takesValue: false, choices: [] },
    ],
  };
  return [node, ...program.commands.flatMap((command) => commandTree(command, `${path} ${command.name()}`.trim()))];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
