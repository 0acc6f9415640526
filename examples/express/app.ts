import express from 'express';
import { guard } from 'writ/express';
import { type Order, orderOf, orders, userOf } from '../data.ts';
import policy from '../policies/orders.rego';

export const app = express();

app.use(express.json());

app.get(
  '/orders/:id',
  guard(policy.allow, (req) => ({ user: userOf(req.get('x-user')), action: 'read', order: orderOf(req.params.id) }), {
    reasons: policy.deny,
  }),
  (req, res) => {
    res.json(orderOf(req.params.id));
  },
);

app.post(
  '/orders',
  guard(policy.allow, (req) => ({ user: userOf(req.get('x-user')), action: 'create', order: req.body as Order }), {
    reasons: policy.deny,
  }),
  (req, res) => {
    orders.set(req.body.id, req.body);
    res.status(201).json(req.body);
  },
);
