import { decisionPatterns } from "./decision-patterns.ts";
import { entityPatterns } from "./entity-patterns.ts";
import { factPatterns } from "./fact-patterns.ts";
import { plainPatterns } from "./plain-patterns.ts";
import { planPatterns } from "./plan-patterns.ts";
import { preferencePatterns } from "./preference-patterns.ts";
import { procedurePatterns } from "./procedure-patterns.ts";
import type { StatementPattern } from "./statement-pattern.ts";

/** All statements, in the order in which they are looked for. */
export const statementPatterns: readonly StatementPattern[] = [
  ...procedurePatterns,
  ...entityPatterns,
  ...preferencePatterns,
  ...decisionPatterns,
  ...planPatterns,
  ...plainPatterns,
  ...factPatterns,
];
