// @ts-check
/** The same app for each bundler, and for Node without one. */
import { allow, deny } from '../policies/orders.rego';

/** @type {import('../policies/orders.rego').Input['user'][]} */
const users = [
  { name: 'alice', roles: ['customer'] },
  { name: 'bob', roles: ['customer'] },
  { name: 'sam', roles: ['support'] },
];
const order = { owner: 'alice' };

for (const user of users) {
  const isAllowed = allow({ user, action: 'read', order });
  console.log(`${user.name}: ${isAllowed ? 'allowed' : deny({ user, action: 'read', order }).join()}`);
}
