// Events of the input, grouped by user and by kind.
export const meta = { entrypoint: 'events/report', title: 'events by user', timed: [0, 1] };

export function generate(scale = 1) {
  const input = (offset) => ({
    events: Array.from({ length: Math.ceil(400 * scale) }, (_, i) => ({
      id: i,
      user: `user-${(i * 7 + offset) % 50}`,
      kind: `kind-${(i * 3) % 8}`,
      result: (i + offset) % 6 === 0 ? 'failed' : 'done',
    })),
  });
  return { data: { limit: 3 * scale }, inputs: [input(0), input(3)] };
}
