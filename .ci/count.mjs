// Prints `N passed, N failed` (and skipped ones) from vitest's JSON report, and fails unless everything passed.
// Runs on whatever Node the machine has, because it must say something even when the installation failed.
import { readFileSync } from "node:fs";

/**
 * @typedef {{ status: string }} Test
 * @typedef {{ status: string, assertionResults: Test[] }} TestFile
 * @typedef {{ success: boolean, testResults: TestFile[] }} Report
 */

/** @returns {Report | undefined} */
function readReport() {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
  } catch (error) {
    console.log(`no test report: ${String(error)}`);
    return undefined;
  }
}

const report = readReport();
const files = report?.testResults ?? [];
const tests = files.flatMap((file) => file.assertionResults);
const passed = tests.filter(({ status }) => status === "passed").length;
const failedTests = tests.filter(({ status }) => status === "failed").length;
// A file that could not be loaded has no tests to count, but it did fail.
const failedFiles = files.filter(
  ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
);
const skipped = tests.length - passed - failedTests;

let failed = failedTests + failedFiles.length;
// No report, no test, or an error outside any test.
if (failed === 0 && (report?.success !== true || passed === 0)) failed = 1;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;
