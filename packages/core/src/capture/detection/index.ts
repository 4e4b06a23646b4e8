export { detect, detectionSteps, type Detection } from "./detect.ts";
export { detectedClasses, type DetectedClass } from "./detection-pattern.ts";
export * from "./policies.ts";
