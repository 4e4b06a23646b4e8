import fc from "fast-check";
import { expect, test } from "vitest";
import { IdList } from "../src/page/views/memories/id-list.ts";
import { RowSelection } from "../src/page/views/memories/row-selection.ts";

const packed = fc.uint8Array({ minLength: 16, maxLength: 16 });

function textOf(id: Uint8Array): string {
  return Buffer.from(id)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

test("ids come in parts, and each is found at its place", () => {
  const some = fc.uniqueArray(packed, { maxLength: 40, selector: textOf });
  fc.assert(
    fc.property(some, packed, fc.integer({ min: 1, max: 9 }), (ids, other, atOnce) => {
      const list = new IdList();
      list.put(new Uint8Array(0), 0, ids.length);
      for (let start = 0; start < ids.length; start += atOnce) {
        expect(list.at(start)).toBeUndefined();
        list.put(new Uint8Array(Buffer.concat(ids.slice(start, start + atOnce))), start, ids.length);
      }
      expect(list.total).toBe(ids.length);
      for (const [index, id] of ids.entries()) {
        expect(list.at(index)).toBe(textOf(id));
        expect(list.indexOf(textOf(id))).toBe(index);
      }
      expect(list.indexOf(textOf(other))).toBe(ids.findIndex((id) => textOf(id) === textOf(other)));
    }),
  );
});

test("a list that begins anew is another list", () => {
  const list = new IdList();
  list.put(new Uint8Array(32).fill(1), 0, 3);
  list.put(new Uint8Array(16).fill(2), 0, 1);
  expect([list.total, list.at(0), list.at(1)]).toEqual([1, "02020202-0202-0202-0202-020202020202", undefined]);
});

test("rows are chosen one by one, in stretches, all and none, as a set of places would have them", () => {
  const places = fc.integer({ min: 0, max: 29 });
  const step = fc.oneof(
    fc.record({ how: fc.constantFrom("toggle" as const, "extendTo" as const), place: places }),
    fc.record({ how: fc.constantFrom("all" as const, "none" as const), place: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const selection = new RowSelection();
      selection.begin(30);
      const model = new Set<number>();
      let from = 0;
      for (const { how, place } of steps) {
        if (how === "toggle") {
          selection.toggle(place);
          if (!model.delete(place)) model.add(place);
          from = place;
        } else if (how === "extendTo") {
          selection.extendTo(place);
          for (let one = Math.min(from, place); one <= Math.max(from, place); one++) model.add(one);
        } else if (how === "all") {
          selection.all();
          for (let one = 0; one < 30; one++) model.add(one);
        } else {
          selection.none();
          model.clear();
          from = 0;
        }
        expect(selection.count.value).toBe(model.size);
      }
      expect([...selection.places()]).toEqual([...model].toSorted((one, other) => one - other));
    }),
  );
});
