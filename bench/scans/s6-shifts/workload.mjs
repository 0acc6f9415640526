// Each person × shift × shift: a join by inequalities.
export const meta = { entrypoint: 'rota/report', title: 'people × shifts × shifts', timed: [0, 1] };

export function generate(scale = 1) {
  const people = Array.from({ length: Math.ceil(30 * scale) }, (_, i) => `person-${i}`);
  const shifts = Object.fromEntries(
    people.map((person, i) => [
      person,
      Array.from({ length: 10 }, (_, k) => {
        const start = (i * 5 + k * 3) % 18;
        return { id: i * 10 + k, day: k % 2 === 0 ? 'mon' : 'tue', start, end: start + 1 + (k % 6) };
      }),
    ]),
  );
  const limits = Object.fromEntries(people.map((person, i) => [person, 8 + (i % 9)]));
  return { data: { people, shifts, limits }, inputs: [{ day: 'mon' }, { day: 'tue' }] };
}
