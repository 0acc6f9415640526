// Numbers anywhere in base documents.
export const meta = { entrypoint: 'totals/report', title: 'walk over base documents', timed: [0, 1] };

export function generate(scale = 1) {
  const years = ['2024', '2025', '2026'];
  const budget = Object.fromEntries(
    Array.from({ length: Math.ceil(20 * scale) }, (_, i) => [
      `dept-${i}`,
      Object.fromEntries(
        years.map((year, y) => [
          year,
          [
            { state: (i + y) % 5 === 0 ? 'open' : 'done', amount: i * 10 + y, parts: [i, y, i + y] },
            { state: 'done', amount: i, parts: [] },
          ],
        ]),
      ),
    ]),
  );
  return { data: { budget }, inputs: [{ year: '2025' }, { year: '2026' }] };
}
