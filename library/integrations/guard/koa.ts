/** A guard for Koa: `import { guard } from 'writ/koa'`. */
import type { Context } from 'koa';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

/**
 * A middleware that asks a policy. A denial is answered with the reasons as JSON.
 * @example
 * app.use(guard(allow, (ctx) => ({ user: ctx.state.user, action: ctx.method })));
 */
export function guard<Input, const Made extends Checked<Input, Made>, C extends Context = Context>(
  decision: GuardDecision<Input>,
  input: InputOf<[C], Made>,
  options?: GuardOptions<C, NoInfer<Made>>,
): (context: C, next: () => Promise<unknown>) => Promise<void> {
  const check = createGuard(decision, input, options);
  return async (context, next) => {
    const outcome = await check(context);
    context.set({ ...outcome.headers });
    if (outcome.allowed) {
      await next();
      return;
    }
    context.status = outcome.status;
    context.body = denialBody(outcome);
  };
}
