import { useState } from "preact/hooks";
import { CaptureExtractor } from "@loci/api-web";
import { extractors } from "./capture-settings.ts";

interface DryRunFormProps {
  readonly isRunning: boolean;
  readonly onRun: (extractor: CaptureExtractor) => void;
}

/** Has the same turns read again, by the same or by another. Nothing is written; a model that is asked costs what it costs. */
export function DryRunForm({ isRunning, onRun }: DryRunFormProps) {
  const [extractor, setExtractor] = useState<CaptureExtractor>(CaptureExtractor.UNSPECIFIED);
  return (
    <form
      class="dry-run"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(extractor);
      }}
    >
      <label class="field">
        <span>Read again by</span>
        <select
          onChange={(event) =>
            setExtractor(extractors[event.currentTarget.selectedIndex]?.extractor ?? CaptureExtractor.UNSPECIFIED)
          }
        >
          {extractors.map(({ name, extractor }) => (
            <option key={name} selected={extractor === CaptureExtractor.UNSPECIFIED}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isRunning}>
        Dry run
      </button>
    </form>
  );
}
