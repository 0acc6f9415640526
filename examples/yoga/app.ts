import { createSchema, createYoga } from 'graphql-yoga';
import { type GuardedOperation, guard } from 'writ/yoga';
import { orderOf, type User, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

interface Context {
  readonly user: User;
}

const schema = createSchema<Context>({
  typeDefs: 'type Order { id: ID!, item: String! } type Query { order(id: ID!): Order!, orders: [Order!]! }',
  resolvers: { Query: { order: (_root, { id }: { id: string }) => orderOf(id), orders: () => [] } },
});

/** One order is read by its variable `id`. */
const mayRun = guard(
  policy.allow,
  ({ context: { user }, fields, variables }: GuardedOperation<Context>) =>
    fields.includes('order') ? { user, action: 'read', order: orderOf(variables.id) } : { user, action: 'list' },
  { reasons: policy.deny },
);

export const yoga = createYoga({
  schema,
  context: ({ request }): Context => ({ user: userOf(request.headers.get('x-user')) }),
  plugins: [mayRun],
});
