/** After each so many numbers of two vectors it is asked whether they can still be near. Most cannot after one or two. */
const lookLength = 32;
/** More than sums of products are off by. */
const tolerance = 1e-9;

/** A vector with what tells soon that it is far from another one. */
export interface SeenVector {
  readonly vector: Float32Array;
  /** After each look, the length of what is left of it: with another rest it makes at most the product of both. */
  readonly restLengths: Float64Array;
}

export function seenVector(vector: Float32Array): SeenVector {
  const restLengths = new Float64Array(Math.ceil(vector.length / lookLength));
  let squares = 0;
  for (let look = restLengths.length - 1; look > 0; look--) {
    const end = Math.min(vector.length, (look + 1) * lookLength);
    for (let at = look * lookLength; at < end; at++) squares += (vector[at] as number) ** 2;
    restLengths[look - 1] = Math.sqrt(squares);
  }
  return { vector, restLengths };
}

/** Whether each of some vectors is near to one of the others. */
export function areNear(some: readonly SeenVector[], others: readonly SeenVector[], gate: number): boolean {
  return some.every((one) => nearCosines(one, others, gate).some((cosine) => cosine >= gate));
}

/**
 * The cosines of one vector with others, in their order and as `cosineOfUnitVectors` adds them up; -Infinity instead for those that do
 * not reach the gate, or what they are. Four sums run side by side, as one alone waits for each addition before it begins the next; they stop
 * where none of the four can reach the gate any more.
 */
export function nearCosines(one: SeenVector, others: readonly SeenVector[], gate: number): Float64Array {
  const cosines = new Float64Array(others.length).fill(-Infinity);
  const last = others.length - 1;
  for (let at = 0; at <= last; at += 4) {
    const first = others[at] as SeenVector;
    const second = others[Math.min(at + 1, last)] as SeenVector;
    const third = others[Math.min(at + 2, last)] as SeenVector;
    const fourth = others[Math.min(at + 3, last)] as SeenVector;
    if (sumUp(one, first, second, third, fourth, gate))
      for (let place = 0; place < 4 && at + place <= last; place++) cosines[at + place] = sums[place] as number;
  }
  return cosines;
}

/** The cosines of the last four that were summed up. */
const sums = new Float64Array(4);

/** @returns whether one of them may reach the gate: else they are not summed up to the end */
function sumUp(
  { vector, restLengths }: SeenVector,
  first: SeenVector,
  second: SeenVector,
  third: SeenVector,
  fourth: SeenVector,
  gate: number,
): boolean {
  const [ofFirst, ofSecond, ofThird, ofFourth] = [first.vector, second.vector, third.vector, fourth.vector];
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let look = 0; look < restLengths.length; look++) {
    const end = Math.min(vector.length, (look + 1) * lookLength);
    for (let at = look * lookLength; at < end; at++) {
      const value = vector[at] as number;
      one += value * (ofFirst[at] as number);
      two += value * (ofSecond[at] as number);
      three += value * (ofThird[at] as number);
      four += value * (ofFourth[at] as number);
    }
    const rest = restLengths[look] as number;
    const most = Math.max(
      one + rest * (first.restLengths[look] as number),
      two + rest * (second.restLengths[look] as number),
      three + rest * (third.restLengths[look] as number),
      four + rest * (fourth.restLengths[look] as number),
    );
    if (most + tolerance < gate) return false;
  }
  sums[0] = one;
  sums[1] = two;
  sums[2] = three;
  sums[3] = four;
  return true;
}
