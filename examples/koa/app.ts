import Koa, { type Context } from 'koa';
import { guard } from 'writ/koa';
import { orderOf, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

export const app = new Koa();

const idOf = (ctx: Context) => ctx.path.slice('/orders/'.length);

app.use(
  guard(policy.allow, (ctx) => ({ user: userOf(ctx.get('x-user')), action: 'read', order: orderOf(idOf(ctx)) }), {
    reasons: policy.deny,
  }),
);

app.use((ctx) => {
  ctx.body = orderOf(idOf(ctx));
});
