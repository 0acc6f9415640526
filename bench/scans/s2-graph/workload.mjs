// A graph of roles: a rule makes it of base documents, and each decision walks it.
export const meta = { entrypoint: 'access/decision', title: 'roles that inherit', timed: [0, 1, 2] };

export function generate(scale = 1) {
  const count = Math.ceil(300 * scale);
  const roles = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `role-${i}`,
      {
        inherits: i === 0 ? [] : [`role-${(i - 1) >> 1}`, `role-${(i * 7) % count}`],
        permissions: [`p-${i % 50}`, `p-${(i * 3) % 70}`],
      },
    ]),
  );
  const inputs = [
    { roles: [`role-${count - 1}`], permission: 'p-3' },
    { roles: ['role-1', 'role-2'], permission: 'p-99' },
    { roles: [`role-${count >> 1}`, 'none'], permission: 'p-49' },
  ];
  return { data: { roles }, inputs };
}
