import type { AssemblyServices } from "./assembly/assembly-services.ts";
import type { BlockServices } from "./blocks/block-services.ts";
import type { BudgetServices } from "./budget/budget-services.ts";
import type { CaptureServices } from "./capture/capture-services.ts";
import type { MaintenanceServices } from "./maintenance/maintenance-services.ts";
import type { SessionServices } from "./sessions/session-services.ts";

/** What the rooms of the engine name as what they need, in one: made once by `createEngine`. */
export interface EngineServices
  extends AssemblyServices, BlockServices, BudgetServices, MaintenanceServices, SessionServices, CaptureServices {}
