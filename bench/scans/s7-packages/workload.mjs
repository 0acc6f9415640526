// Dependencies of packages: a graph of the base documents, as it is.
export const meta = { entrypoint: 'packages/report', title: 'packages that are needed', timed: [0, 1] };

export function generate(scale = 1) {
  const count = Math.ceil(500 * scale);
  const name = (i) => `@scope/package-${i % count}`;
  const dependencies = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      name(i),
      i * 2 + 2 < count ? [name(i * 2 + 1), name(i * 2 + 2), name(i * 3 + 7)] : [],
    ]),
  );
  const advisories = Object.fromEntries(
    Array.from({ length: Math.ceil(count / 25) }, (_, i) => [name(i * 25 + 3), i % 10]),
  );
  return {
    data: { dependencies, advisories },
    inputs: [
      { root: name(0), severity: 8 },
      { root: name(2), severity: 2 },
    ],
  };
}
