import type { NextRequest } from 'next/server';
import { guardProxy } from 'writ/next';

/** Before all routes: only those who say who they are. */
export const proxy = guardProxy(
  ({ user }: { user: string | null }) => user !== null,
  (request: NextRequest) => ({ user: request.headers.get('x-user') }),
  { reasons: () => 'say who you are', status: 401 },
);

export const config = { matcher: '/orders/:path*' };
