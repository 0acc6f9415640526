// Loops over base documents: plans, periods and resources, joined with their usage.
export const meta = { entrypoint: 'billing/report', title: 'plans × periods × resources', timed: [0, 1, 2] };

export function generate(scale = 1) {
  const regions = ['eu', 'us', 'ap', 'sa'];
  const plans = Array.from({ length: Math.ceil(40 * scale) }, (_, i) => ({
    id: `plan-${i}`,
    resources: Array.from({ length: 8 }, (_, k) => ({
      name: `resource-${k}`,
      limit: 50 + ((i * 7 + k * 13) % 40),
      region: regions[(i + k) % 4],
    })),
  }));
  const periods = Array.from({ length: 6 }, (_, i) => ({ id: `2026-0${i + 1}`, open: i % 3 !== 2 }));
  const usage = Object.fromEntries(
    plans.map(({ id, resources }, i) => [
      id,
      Object.fromEntries(
        periods.map((period, p) => [
          period.id,
          Object.fromEntries(resources.map(({ name }, k) => [name, (i * 31 + p * 17 + k * 11) % 120])),
        ]),
      ),
    ]),
  );
  const inputs = [{ regions: ['eu', 'us'] }, { regions: ['ap'] }, { regions }];
  return { data: { plans, periods, usage }, inputs };
}
