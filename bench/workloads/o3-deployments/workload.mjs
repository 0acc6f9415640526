// Sets of objects, partial objects of sets, and sums: the result is a report, not a boolean.
export const meta = { entrypoint: 'deployments/report', title: 'deployment report over 80 services', timed: [0, 1, 2] };

export function generate(scale = 1) {
  const inputs = Array.from({ length: 6 }, (_, n) => ({
    services: Array.from({ length: 80 * scale }, (_, i) => ({
      name: `service-${(i * 17 + n) % (80 * scale)}`,
      age_days: (i * 29 + n * 7) % 400,
      uses: Array.from({ length: 5 }, (_, k) => `library-${(i * 3 + k * 11 + n) % 50}`),
      ...(i % 6 === n % 6 ? {} : { owner: `team-${i % 7}` }),
    })),
  }));
  return {
    data: {
      weights: { unowned: 2, stale: 1, dependency: 5 },
      limits: { age_days: 365, block_at: 3 },
      banned: ['library-3', 'library-14', 'library-15'],
    },
    inputs,
  };
}
