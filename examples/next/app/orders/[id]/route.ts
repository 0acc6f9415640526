import type { NextRequest } from 'next/server';
import { guard } from 'writ/next';
import { orderOf, userOf } from '../../../../data.ts';
import { orders as policy } from '../../../../policy.js';

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

const mayRead = guard(
  policy.allow,
  async (request: NextRequest, { params }: Context) => ({
    user: userOf(request.headers.get('x-user')),
    action: 'read',
    order: orderOf((await params).id),
  }),
  { reasons: policy.deny },
);

export const GET = mayRead(async (_request, { params }) => Response.json(orderOf((await params).id)));
