/** Users and orders, as a database would have them. */
import type { Input } from './policies/orders.rego';

export type User = Input['user'];

export type Order = {
  readonly id: string;
  readonly owner: string;
  readonly item: string;
};

const users: readonly User[] = [
  { name: 'alice', roles: ['customer'] },
  { name: 'bob', roles: ['customer'] },
  { name: 'sam', roles: ['support'] },
];

export const orders = new Map<string, Order>([
  ['1', { id: '1', owner: 'alice', item: 'tea' }],
  ['2', { id: '2', owner: 'bob', item: 'coffee' }],
]);

/** The user of a request. A real app reads a session or a token that it has verified. */
export function userOf(header: string | string[] | null | undefined): User {
  const user = users.find(({ name }) => name === header);
  if (user === undefined) throw new Error('who are you?');
  return user;
}

export function orderOf(id: unknown): Order {
  const order = orders.get(String(id));
  if (order === undefined) throw new Error(`there is no order ${id}`);
  return order;
}
