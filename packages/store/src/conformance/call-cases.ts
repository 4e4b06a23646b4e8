import { deepEqual, equal, ok } from "node:assert/strict";
import { LociError } from "@loci/domain";
import { apply, expectFound, expectRefusal, type IndexContext } from "./index-context.ts";
import { refNumber, sampleRow, sampleRows, tenant } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";

/** Limits, sizes and cancellation. */
export const callCases: CaseFile<"apply" | "search", IndexContext> = {
  covers: ["apply", "search"],
  cases: [
    {
      method: "search",
      name: "finds nothing in an empty index",
      run: async (context) => {
        await expectFound(context, {}, []);
        await apply(context, [], { through: 1 });
        await expectFound(context, {}, []);
      },
    },
    {
      method: "search",
      name: "returns as many rows as asked for, ties by ref, and all when there are no more",
      run: async (context) => {
        await apply(context, sampleRows(2_500).toReversed());
        await expectFound(context, { limit: 2_501 }, sampleRows(2_500));
        for (const limit of [1, 7, 2_499]) {
          const found = await context.find({ limit });
          equal(found.length, limit);
          if (context.similarity === "exact")
            deepEqual(
              found.map(({ ref }) => ref),
              sampleRows(limit).map(({ ref }) => ref),
            );
        }
      },
    },
    {
      method: "search",
      name: "refuses a limit that is no whole number from 1",
      run: async (context) => {
        await apply(context, [sampleRow(1)]);
        for (const limit of [0, -1, 1.5, Number.NaN, Infinity])
          await expectRefusal(() => context.find({ limit }), "INVALID_REQUEST");
      },
    },
    {
      method: "apply",
      name: "takes thousands of changes at once, and large rows",
      run: async (context) => {
        const long = "x".repeat(40_000);
        const large = sampleRow(9_001, {
          fields: { "metadata.long": long, tags: Array.from({ length: 500 }, (_, tag) => `tag ${tag}`) },
        });
        await apply(context, [...sampleRows(5_000), large]);
        await expectFound(context, { limit: 6_000 }, [...sampleRows(5_000), large]);
      },
    },
    {
      method: "search",
      name: "is cancelled by its signal and ended by its deadline",
      run: async (context) => {
        await apply(context, [sampleRow(1)]);
        await expectRefusal(() => context.find({}, { signal: AbortSignal.abort() }), "CANCELLED");
        await expectRefusal(() => context.find({}, { deadline: 1 }), "DEADLINE_EXCEEDED");
        const reason = new LociError("SERVER_UNAVAILABLE", { message: "The server stops." });
        await expectRefusal(() => context.find({}, { signal: AbortSignal.abort(reason) }), "SERVER_UNAVAILABLE");
      },
    },
    {
      method: "search",
      name: "either answers rightly or is cancelled when the signal comes while it runs",
      run: async (context) => {
        const rows = sampleRows(500);
        await apply(context, rows);
        for (let round = 0; round < 20; round++) {
          const controller = new AbortController();
          const running = context.find({}, { signal: controller.signal });
          setTimeout(() => controller.abort(), round % 4);
          const outcome = await running.then(
            (found) => found.length === rows.length,
            (error: unknown) => LociError.is(error) && error.reason === "CANCELLED",
          );
          ok(outcome, "neither a whole answer nor CANCELLED");
        }
        await expectFound(context, {}, rows);
      },
    },
    {
      method: "apply",
      name: "does nothing when it is over before it begins",
      run: async (context) => {
        const { projection } = context;
        await expectRefusal(
          () => projection.apply(tenant, [sampleRow(1)], 1, { signal: AbortSignal.abort() }),
          "CANCELLED",
        );
        await expectRefusal(() => projection.apply(tenant, [sampleRow(1)], 1, { deadline: 1 }), "DEADLINE_EXCEEDED");
        equal(await projection.checkpoint(tenant), 0);
        await apply(context, [sampleRow(2)]);
        await expectFound(context, {}, [{ ref: refNumber(2), version: 1 }]);
      },
    },
  ],
};
