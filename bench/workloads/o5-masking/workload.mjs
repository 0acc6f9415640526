// Objects that are made key by key: rows whose hidden fields are masked.
export const meta = { entrypoint: 'masking/rows', title: 'rows with masked fields', timed: [0, 1, 2] };

export function generate(scale = 1) {
  const roles = ['support', 'sales', 'admin'];
  const inputs = Array.from({ length: 12 }, (_, n) => ({
    role: roles[n % 3],
    tenant: `t${n % 4}`,
    rows: Array.from({ length: 50 * scale }, (_, i) => ({
      id: `row${i}`,
      tenant: `t${(i * 7 + n) % 4}`,
      name: `Name ${(i * 13) % 100}`,
      email: `user${i}@example.test`,
      salary: 1000 + ((i * 37) % 900),
      phone: `+49${100_000 + i * 17}`,
    })),
  }));
  const fields = { support: ['id', 'tenant', 'name'], sales: ['id', 'tenant', 'name', 'phone'] };
  return { data: { fields: { ...fields, admin: [...fields.sales, 'email', 'salary'] } }, inputs };
}
