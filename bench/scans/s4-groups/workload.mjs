// Items of base documents, grouped by team and by kind.
export const meta = { entrypoint: 'costs/report', title: 'group by', timed: [0, 1] };

export function generate(scale = 1) {
  const items = Array.from({ length: Math.ceil(500 * scale) }, (_, i) => ({
    id: `item-${i}`,
    team: `team-${(i * 7) % 23}`,
    kind: `kind-${(i * 5) % 11}`,
    cost: (i * 37) % 101,
    active: i % 6 !== 0,
  }));
  return { data: { items }, inputs: [{ limit: 300 * scale }, { limit: 1000 * scale }] };
}
