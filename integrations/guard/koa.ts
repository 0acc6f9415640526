/** A guard for Koa: `import { guard } from 'writ/koa'`. */
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions, type InputOf } from './core/guard.js';

interface KoaContext {
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/**
 * A middleware that asks a policy. A denial is answered with the reasons as JSON.
 * @example
 * app.use(guard(allow, (ctx) => ({ user: ctx.state.user, action: ctx.method })));
 */
export function guard<Input, Context extends KoaContext>(
  decision: GuardDecision<Input>,
  input: InputOf<Context, NoInfer<Input>>,
  options?: GuardOptions<Context, NoInfer<Input>>,
): (context: Context, next: () => Promise<unknown>) => Promise<void> {
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
