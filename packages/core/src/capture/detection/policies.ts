import { detect, type Detection } from "./detect.ts";
import { detectedClasses, type DetectedClass } from "./detection-pattern.ts";

/**
 * What becomes of text that holds data of a class.
 *
 * - `refuse`: it is not remembered, and turns keep `[redacted: CLASS]`.
 * - `redact`: it is remembered with `[CLASS]` in its place.
 * - `quarantine`: it waits for somebody who may approve.
 * - `allow`: nothing.
 */
export type DetectionPolicy = (typeof detectionPolicies)[number];

export const detectionPolicies = ["refuse", "redact", "quarantine", "allow"] as const;

export type DetectionPolicies = Readonly<Record<DetectedClass, DetectionPolicy>>;

const redactedClasses: ReadonlySet<DetectedClass> = new Set(["email", "phone"]);

/** Secrets are refused, ways to reach a person are redacted. */
export const defaultPolicies: DetectionPolicies = Object.fromEntries(
  detectedClasses.map((each) => [each, redactedClasses.has(each) ? "redact" : "refuse"]),
) as DetectionPolicies;

export interface ScreenedText {
  /** With what is refused or redacted out. */
  readonly text: string;
  /** The strictest policy of what was found. */
  readonly policy: DetectionPolicy;
  /** What was found, in the order of the text, without what is allowed. */
  readonly classes: readonly DetectedClass[];
}

const strictest: readonly DetectionPolicy[] = ["refuse", "quarantine", "redact", "allow"];

/** Finds secrets and personal data of a text, and takes out what may not stay. @param policies default: {@link defaultPolicies} */
export function screenText(text: string, policies: DetectionPolicies = defaultPolicies): ScreenedText {
  const found = detect(text).filter((each) => policies[each.class] !== "allow");
  const policy = strictest.find((each) => found.some((detection) => policies[detection.class] === each)) ?? "allow";
  return { text: redacted(text, found, policies), policy, classes: found.map((each) => each.class) };
}

const redactedMark: RegExp = new RegExp(`\\[redacted: (?:${detectedClasses.join("|")})\\]`);

/** Whether a text held something that was refused, before it was taken out: what is left of it says nothing. */
export function heldRefused(text: string): boolean {
  return redactedMark.test(text);
}

/** The text with what is refused as `[redacted: card]` and what is redacted as `[email]`. */
export function redacted(text: string, detections: readonly Detection[], policies: DetectionPolicies): string {
  let result = "";
  let end = 0;
  for (const detection of detections) {
    const policy = policies[detection.class];
    if (policy !== "refuse" && policy !== "redact") continue;
    result += text.slice(end, detection.start);
    result += policy === "refuse" ? `[redacted: ${detection.class}]` : `[${detection.class}]`;
    end = detection.end;
  }
  return result + text.slice(end);
}
