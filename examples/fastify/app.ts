import Fastify from 'fastify';
import { guard } from 'writ/fastify';
import { type Order, orderOf, orders, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

export const app = Fastify();

app.get<{ Params: { id: string } }>(
  '/orders/:id',
  {
    preHandler: guard(
      policy.allow,
      (request) => ({ user: userOf(request.headers['x-user']), action: 'read', order: orderOf(request.params.id) }),
      { reasons: policy.deny },
    ),
  },
  async (request) => orderOf(request.params.id),
);

app.post<{ Body: Order }>(
  '/orders',
  {
    preHandler: guard(
      policy.allow,
      (request) => ({ user: userOf(request.headers['x-user']), action: 'create', order: request.body }),
      { reasons: policy.deny },
    ),
  },
  async (request, reply) => {
    orders.set(request.body.id, request.body);
    return reply.code(201).send(request.body);
  },
);
