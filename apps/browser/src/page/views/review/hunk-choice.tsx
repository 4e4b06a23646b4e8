import type { BlockOperation } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { operationWords } from "./block-words.ts";

interface HunkChoiceProps {
  readonly operations: readonly BlockOperation[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
}

/** The parts of a change, of which none is chosen beforehand. Each is shown whole. */
export function HunkChoice({ operations, chosen, onChange }: HunkChoiceProps) {
  const choose = (position: number, isChosen: boolean): void =>
    onChange(
      isChosen
        ? [...chosen, position].toSorted((one, other) => one - other)
        : chosen.filter((other) => other !== position),
    );
  return (
    <fieldset class="hunks">
      <legend>Choose what is to be</legend>
      {operations.map((operation, position) => {
        const { says, before, after } = operationWords(operation);
        return (
          <label key={position} class="hunk">
            <input
              type="checkbox"
              checked={chosen.includes(position)}
              onChange={(event) => choose(position, event.currentTarget.checked)}
            />
            <span class="hunk-says">
              {says} <ShownText text={operation.field} />
            </span>
            {before !== undefined && (
              <del class="text">
                <ShownText text={before} />
              </del>
            )}
            {after !== undefined && (
              <ins class="text">
                <ShownText text={after === "" ? "(empty)" : after} />
              </ins>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}
