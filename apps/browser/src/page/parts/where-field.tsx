import { useEffect, useState } from "preact/hooks";
import { whereFilter } from "../text/where-filter.ts";
import { WhereError } from "../text/where-tokens.ts";
import { ShownText } from "./shown-text.tsx";

interface WhereFieldProps {
  readonly given: string;
  /** Default: the form it is in is submitted. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** A filter in words. Says what is wrong in it, and where, while it is typed. */
export function WhereField({ given, onChange }: WhereFieldProps) {
  const [text, setText] = useState(given);
  // The address may say another one.
  useEffect(() => setText(given), [given]);
  const problem = whereProblem(text);
  return (
    <div class="field-where">
      <label class="field">
        <span>Where</span>
        <input
          name="where"
          autocomplete="off"
          spellcheck={false}
          placeholder="importance >= 0.7 and tags has billing"
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : "where-problem"}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={(event) => onChange?.(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && onChange?.(event.currentTarget.value)}
        />
      </label>
      <p id="where-problem" class="where-problem" role="status">
        {problem !== undefined && (
          <>
            Character {problem.at + 1}: <ShownText text={problem.message} />
          </>
        )}
      </p>
    </div>
  );
}

/** What is wrong with a filter. Undefined: nothing. */
export function whereProblem(text: string): WhereError | undefined {
  try {
    whereFilter(text);
    return undefined;
  } catch (error) {
    if (error instanceof WhereError) return error;
    throw error;
  }
}
