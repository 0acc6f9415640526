const { allow, deny } = require('../../policies/orders.rego');

test('customers read their own orders', () => {
  const bob = { name: 'bob', roles: ['customer'] };
  expect(allow({ user: bob, action: 'read', order: { owner: 'bob' } })).toBe(true);
  expect(deny({ user: bob, action: 'read', order: { owner: 'alice' } })).toEqual(['only alice may read this order']);
});
