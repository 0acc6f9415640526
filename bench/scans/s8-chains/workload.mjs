// Chains of command: the paths of a graph that rules make.
export const meta = { entrypoint: 'org/report', title: 'chains of command', timed: [0, 1] };

export function generate(scale = 1) {
  const count = Math.ceil(200 * scale);
  const people = Array.from({ length: count }, (_, i) => ({
    name: `person-${i + 1}`,
    manager: `person-${(i + 1) >> 1}`,
  }));
  return { data: { people }, inputs: [{ boss: 'person-1' }, { boss: 'person-3' }] };
}
