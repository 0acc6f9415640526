// A small decision with look-ups by key, as a gateway makes for each request.
export const meta = {
  entrypoint: 'tenancy/allow',
  title: 'multi-tenant access: look-ups in 500 tenants',
  timed: [0, 1, 2, 3, 4],
};

export function generate(scale = 1) {
  const tenants = {};
  for (let i = 0; i < 500 * scale; i++) {
    const members = Array.from({ length: 8 }, (_, k) => `user-${(i * 7 + k * 13) % 900}`);
    tenants[`tenant-${i}`] = {
      plan: ['free', 'team', 'enterprise'][i % 3],
      state: i % 50 === 7 ? 'frozen' : 'active',
      owner: members[0],
      members,
    };
  }
  const actions = ['read', 'list', 'write', 'delete', 'admin'];
  const inputs = Array.from({ length: 60 }, (_, i) => {
    const tenant = `tenant-${(i * 37) % 520}`;
    const known = tenants[tenant]?.members ?? ['nobody'];
    return { tenant, user: i % 4 === 3 ? 'stranger' : known[i % known.length], action: actions[i % 5] };
  });
  return { data: { tenants }, inputs };
}
