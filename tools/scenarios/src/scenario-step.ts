import { readFileSync } from "node:fs";
import type { JsonObject } from "@bufbuild/protobuf";

/** A call that every client makes. */
export interface ScenarioStep {
  /** Names it in references and reports. */
  readonly step: string;
  /** Such as `loci.v1.MemoryService/CreateMemory`. */
  readonly call: string;
  /** Which of the clients makes it. Default `writer`. */
  readonly client?: string;
  /** The request as protobuf's JSON. */
  readonly request: JsonObject;
  /** Of a stream: cancel it after so many answers. */
  readonly take?: number;
  /** The call's own time limit. */
  readonly timeoutMilliseconds?: number;
}

/** The steps of a scenario file, one a line. @throws Error with the number of the line that is none */
export function readSteps(file: string): readonly ScenarioStep[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as ScenarioStep;
    } catch (error) {
      throw new Error(`line ${index + 1} of ${file} is not JSON`, { cause: error });
    }
  });
}
