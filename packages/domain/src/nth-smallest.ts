/**
 * The number that would stand at a place, from 0 on, if all were in ascending order. In time linear in their number, where sorting takes
 * more. Moves them (Hoare's selection).
 */
export function nthSmallest(numbers: Float64Array, place: number): number {
  let [first, end] = [0, numbers.length - 1];
  while (first < end) {
    const pivot = numbers[(first + end) >>> 1] as number;
    let [low, high] = [first, end];
    while (low <= high) {
      while ((numbers[low] as number) < pivot) low++;
      while ((numbers[high] as number) > pivot) high--;
      if (low > high) break;
      const moved = numbers[low] as number;
      numbers[low++] = numbers[high] as number;
      numbers[high--] = moved;
    }
    if (place <= high) end = high;
    else if (place >= low) first = low;
    else break;
  }
  return numbers[place] as number;
}
