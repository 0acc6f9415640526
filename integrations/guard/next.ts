/** Guards for Next.js: `import { guard, guardProxy } from 'writ/next'`. */
import type { GuardDecision } from './core/decision.js';
import { denialResponse } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';

type RouteHandler<Request, Context> = (request: Request, context: Context) => Response | PromiseLike<Response>;

/**
 * Asks a policy before a route handler. A denial is a response with the reasons as JSON.
 * @example
 * const inputOf = async (request: NextRequest) => ({ user: await userOf(request) });
 * const mayRemove = guard(allow, inputOf, { reasons: deny });
 * export const DELETE = mayRemove(async () => Response.json({ removed: true }));
 */
export function guard<Input, Request, Context = unknown>(
  decision: GuardDecision<Input>,
  input: (request: Request, context: Context) => NoInfer<Input> | PromiseLike<NoInfer<Input>>,
  options?: GuardOptions<readonly [Request, Context], NoInfer<Input>>,
): (handler: RouteHandler<Request, Context>) => (request: Request, context: Context) => Promise<Response> {
  const check = createGuard(decision, (args: readonly [Request, Context]) => input(...args), options);
  return (handler) => async (request, context) => {
    const outcome = await check([request, context]);
    return outcome.allowed ? await handler(request, context) : denialResponse(outcome);
  };
}

/**
 * A proxy that asks a policy: a denial is its response, and what is allowed goes on to its route.
 * @example
 * const inputOf = (request: NextRequest) => ({ path: request.nextUrl.pathname });
 * export const proxy = guardProxy(allow, inputOf, { reasons: deny });
 */
export function guardProxy<Input, Request>(
  decision: GuardDecision<Input>,
  input: (request: Request) => NoInfer<Input> | PromiseLike<NoInfer<Input>>,
  options?: GuardOptions<Request, NoInfer<Input>>,
): (request: Request) => Promise<Response | undefined> {
  const check = createGuard(decision, input, options);
  return async (request) => {
    const outcome = await check(request);
    return outcome.allowed ? undefined : denialResponse(outcome);
  };
}
