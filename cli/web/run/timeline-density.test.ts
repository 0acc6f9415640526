import { expect, test } from 'vitest';
import { Density, shareOfHeight } from './timeline-density.js';

/** Events of two kinds over a number of columns. */
function sharesOf(kinds: readonly boolean[], columns: number): readonly number[] {
  const density = new Density(columns);
  for (const [i, isSecond] of kinds.entries()) density.add(0, (i / kinds.length) * columns, isSecond);
  return [...density.cells()].map(({ share }) => share);
}

test.each([7, 100, 333, 1280, 1999])('events that alternate look alike at each of %i columns', (columns) => {
  const kinds = Array.from({ length: 200_000 }, (_, i) => i % 2 === 1);
  const shares = sharesOf(kinds, columns);
  expect(shares).toHaveLength(columns);
  for (const share of shares) expect(share).toBeCloseTo(0.5, 1);
});

test('a single failure among thousands of other events is seen', () => {
  const kinds = Array.from({ length: 100_000 }, (_, i) => i === 5_000);
  const shares = sharesOf(kinds, 100);
  expect(shares.filter((share) => share > 0)).toHaveLength(1);
  expect(shareOfHeight(Math.max(...shares), 6, 2)).toBe(2);
});

test('of almost all, the others are still seen', () => expect(shareOfHeight(0.99999, 6, 2)).toBe(4));
test('of one kind alone nothing else is drawn', () => expect([shareOfHeight(0, 6, 2), shareOfHeight(1, 6, 2)]).toEqual([0, 6]));

test('rows are apart, and places beside the columns are not counted', () => {
  const density = new Density(2);
  density.add(0, 0.5, false);
  density.add(3, 1.9, true);
  density.add(0, 2, true);
  density.add(0, -1, true);
  expect([...density.cells()]).toEqual([
    { row: 0, x: 0, share: 0 },
    { row: 3, x: 1, share: 1 },
  ]);
});
