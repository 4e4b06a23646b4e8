import type { Ref } from "@loci/domain";
import type { MemoryServices } from "../memories/memory-services.ts";
import type { IndexServices } from "../projections/index-services.ts";
import type { RotationMarks } from "../recall/rotation-marks.ts";
import type { ScoringProfiles } from "../recall/scoring-profiles.ts";
import type { ReceiptKeeper } from "../receipts/receipt-keeper.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";

/** What jobs that go through everything work with. */
export interface MaintenanceServices extends IndexServices, MemoryServices {
  readonly profiles: ScoringProfiles;
  readonly rotation: RotationMarks;
  readonly receipts: ReceiptKeeper;
  /** What recalls gave, used or not. */
  readonly shown: UsageRecorder<Ref>;
}
