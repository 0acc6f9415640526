import Router from '@koa/router';
import Koa from 'koa';
import { guard } from 'writ/koa';
import { orderOf, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

export const app = new Koa();
const router = new Router();

router.get(
  '/orders/:id',
  guard(policy.allow, (ctx) => ({ user: userOf(ctx.get('x-user')), action: 'read', order: orderOf(ctx.params.id) }), {
    reasons: policy.deny,
  }),
  (ctx) => {
    ctx.body = orderOf(ctx.params.id);
  },
);
app.use(router.routes());
