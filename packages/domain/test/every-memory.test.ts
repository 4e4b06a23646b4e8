import { expect, test } from "vitest";
import { everyMemory, type ListMemoriesRequest, type Memory } from "../src/index.ts";

test("pages are read one after the other, each when the one before has been taken, and with the same options", async () => {
  const asked: unknown[][] = [];
  const list = async (...given: [ListMemoriesRequest, unknown?]) => {
    asked.push(given);
    const { pageToken = "0" } = given[0];
    const memories = [{ id: `${pageToken}a` }, { id: `${pageToken}b` }] as unknown as Memory[];
    return pageToken === "2" ? { memories } : { memories, nextPageToken: String(Number(pageToken) + 1) };
  };
  const options = { deadline: 1 };
  const ids: string[] = [];
  for await (const { id } of everyMemory({ list }, { scopes: ["global"] }, options)) {
    ids.push(id);
    expect(asked).toHaveLength(Math.ceil(ids.length / 2));
  }
  expect(ids).toEqual(["0a", "0b", "1a", "1b", "2a", "2b"]);
  const request = { scopes: ["global"], pageSize: 1_000 };
  expect(asked).toEqual([undefined, "1", "2"].map((pageToken) => [{ ...request, pageToken }, options]));
});
