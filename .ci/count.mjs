// Prints what failed, then `N passed, N failed` (and skipped ones), from vitest's JSON reports, and fails unless everything
// passed. What failed is said again because a log of half an hour is read from its end.
// Runs on whatever Node the machine has, because it must say something even when the installation failed.
import { readFileSync } from "node:fs";

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Test
 * @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} TestFile
 * @typedef {{ success: boolean, testResults: TestFile[] }} Report
 */

/** @param {string} file @returns {Report | undefined} */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.log(`no test report: ${String(error)}`);
    return undefined;
  }
}

const messageLines = 12;

/** @param {string} title @param {string | undefined} message */
function printFailure(title, message) {
  console.log(`failed: ${title}`);
  for (const line of (message ?? "").trim().split("\n").slice(0, messageLines)) console.log(`    ${line}`);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) count(readReport(file));

/** @param {Report | undefined} report */
function count(report) {
  const files = report?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failedTests = tests.filter(({ status }) => status === "failed").length;
  // A file that could not be loaded has no tests to count, but it did fail.
  const failedFiles = files.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  for (const file of failedFiles) printFailure(file.name, file.message);
  for (const file of files)
    for (const test of file.assertionResults)
      if (test.status === "failed") printFailure(`${file.name}: ${test.fullName}`, test.failureMessages?.[0]);
  const failed = failedTests + failedFiles.length;
  counts.passed += passed;
  counts.skipped += tests.length - passed - failedTests;
  // No report, no test, or an error outside any test.
  counts.failed += failed === 0 && (report?.success !== true || passed === 0) ? 1 : failed;
}

const { passed, failed, skipped } = counts;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
