import { initTRPC } from '@trpc/server';
import { guard } from 'writ/trpc';
import { type Order, orderOf, orders, type User } from '../data.ts';
import policy from '../policies/orders.rego';

const t = initTRPC.context<{ user: User }>().create();

export const router = t.router({
  read: t.procedure
    .input((id) => String(id))
    .use(
      guard(policy.allow, ({ ctx, input }) => ({ user: ctx.user, action: 'read', order: orderOf(input) }), {
        reasons: policy.deny,
      }),
    )
    .query(({ input }) => orderOf(input)),
  create: t.procedure
    .input((order) => order as Order)
    .use(
      guard(policy.allow, ({ ctx, input }) => ({ user: ctx.user, action: 'create', order: input }), {
        reasons: policy.deny,
      }),
    )
    .mutation(({ input }) => {
      orders.set(input.id, input);
      return input;
    }),
});
