/** Guards for Next.js: `import { guard, guardProxy } from 'writ/next'`. */
import type { GuardDecision } from './core/decision.js';
import { denialResponse } from './core/denial.js';
import { createGuard, Guard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

type RouteHandler<Request, Context> = (request: Request, context: Context) => Response | PromiseLike<Response>;

/**
 * Asks a policy before a route handler. A denial is a response with the reasons as JSON.
 * @example
 * const inputOf = async (request: NextRequest) => ({ user: await userOf(request) });
 * const mayRemove = guard(allow, inputOf, { reasons: deny });
 * export const DELETE = mayRemove(async () => Response.json({ removed: true }));
 */
export function guard<Input, const Made extends Checked<Input, Made>, Request, Context = unknown>(
  decision: GuardDecision<Input>,
  input: InputOf<[request: Request, context: Context], Made>,
  options?: GuardOptions<readonly [Request, Context], NoInfer<Made>>,
): (handler: RouteHandler<Request, Context>) => (request: Request, context: Context) => Promise<Response> {
  const { check } = new Guard<readonly [Request, Context], Made>(
    decision as GuardDecision<Made>,
    (args) => input(...args),
    options,
  );
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
export function guardProxy<Input, const Made extends Checked<Input, Made>, Request>(
  decision: GuardDecision<Input>,
  input: InputOf<[request: Request], Made>,
  options?: GuardOptions<Request, NoInfer<Made>>,
): (request: Request) => Promise<Response | undefined> {
  const check = createGuard(decision, input, options);
  return async (request) => {
    const outcome = await check(request);
    return outcome.allowed ? undefined : denialResponse(outcome);
  };
}
