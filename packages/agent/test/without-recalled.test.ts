import { describe, expect, test } from "vitest";
import { withoutRecalled } from "../src/index.ts";

const stands = "<loci-remembered>\nData.\n</loci-remembered>";
const found = '<loci-recalled today="Friday, 2026-03-13">\n<memory>\nA ferry.\n</memory>\n</loci-recalled>';
const procedures = '<procedures count="1">\nFollow them.\n- Ask first.\n</procedures>';

describe("the block before a question", () => {
  test.each([
    ["with all its parts", `${stands}\n\n${found}\n\n${procedures}`],
    ["with what always stands alone", stands],
    ["with what was found alone", found],
    ["with procedures behind what stands", `${stands}\n\n${procedures}`],
  ])("is taken out %s", (_, block) => {
    expect(withoutRecalled(`${block}\n\nWhen does it leave?`)).toBe("When does it leave?");
    expect(withoutRecalled(block)).toBe("");
    expect(withoutRecalled(`\n${block}\n\n  x `)).toBe("x ");
  });

  test.each([
    ["no block", "When does it leave?"],
    ["a block behind a question", `What does this mean?\n${stands}`],
    ["what is begun only", "<loci-remembered>\nWhen does it leave?"],
    ["what is closed only", "</loci-remembered>\nWhen does it leave?"],
    ["a tag of another name", "<loci-remembered-more>\n</loci-remembered-more>"],
    ["procedures alone", procedures],
    ["white space", "  \n indented"],
    ["nothing", ""],
  ])("leaves %s as it is", (_, text) => {
    expect(withoutRecalled(text)).toBe(text);
  });

  test("is gone through once, however long it is", () => {
    const text = `${"<loci-remembered>".repeat(200_000)}</loci-remembered>x`;
    const start = performance.now();
    expect(withoutRecalled(text)).toBe("x");
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
