/** A guard for Hono: `import { guard } from 'writ/hono'`. */
import type { Context, Env, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { GuardDecision } from './core/decision.js';
import { denialResponse } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

/** A path of which any name may be a parameter: the route's is not inferred. */
type AnyPath = `/:${string}`;

/**
 * A middleware that asks a policy. A denial is an HTTPException with the reasons as JSON; its
 * `cause` is the outcome.
 * @example
 * app.use('/orders/:id', guard(allow, (c) => ({ user: c.get('user'), id: c.req.param('id') })));
 */
// biome-ignore lint/suspicious/noExplicitAny: Hono's own default for variables that are not known
export function guard<Input, const Made extends Checked<Input, Made>, E extends Env = any>(
  decision: GuardDecision<Input>,
  input: InputOf<[Context<E, AnyPath>], Made>,
  options?: GuardOptions<Context<E, AnyPath>, NoInfer<Made>>,
): MiddlewareHandler<E> {
  const check = createGuard(decision, input, options);
  return async (c, next) => {
    const outcome = await check(c);
    if (!outcome.allowed)
      throw new HTTPException(outcome.status as ContentfulStatusCode, { res: denialResponse(outcome), cause: outcome });
    await next();
    for (const [name, value] of Object.entries(outcome.headers)) c.header(name, value);
  };
}
