import { type Context, Hono } from 'hono';
import { guard } from 'writ/hono';
import { type Order, orderOf, orders, type User, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

interface AppEnv {
  Variables: { user: User };
}

export const app = new Hono<AppEnv>();

app.use(async (c, next) => {
  c.set('user', userOf(c.req.header('x-user')));
  await next();
});

app.get(
  '/orders/:id',
  guard(
    policy.allow,
    (c: Context<AppEnv>) => ({ user: c.get('user'), action: 'read', order: orderOf(c.req.param('id')) }),
    { reasons: policy.deny },
  ),
  (c) => c.json(orderOf(c.req.param('id'))),
);

app.post(
  '/orders',
  guard(
    policy.allow,
    async (c: Context<AppEnv>) => ({ user: c.get('user'), action: 'create', order: await c.req.json<Order>() }),
    { reasons: policy.deny },
  ),
  async (c) => {
    const order = await c.req.json<Order>();
    orders.set(order.id, order);
    return c.json(order, 201);
  },
);
