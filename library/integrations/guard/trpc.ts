/** A guard for tRPC: `import { guard } from 'writ/trpc'`. */
import { TRPCError } from '@trpc/server';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

const codes: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 404: 'NOT_FOUND' };

/**
 * A middleware that asks a policy. A denial is a TRPCError whose message has the reasons; its cause
 * is the outcome, for an `errorFormatter`.
 * @example
 * const mayRemove = t.middleware(guard(allow, ({ ctx }) => ({ user: ctx.user })));
 */
export function guard<Input, const Made extends Checked<Input, Made>, Options extends { next(): Promise<unknown> }>(
  decision: GuardDecision<Input>,
  input: InputOf<[Options], Made>,
  options?: GuardOptions<Options, NoInfer<Made>>,
): (options: Options) => ReturnType<Options['next']> {
  const check = createGuard(decision, input, options);
  return (async (call) => {
    const outcome = await check(call);
    if (outcome.allowed) return await call.next();
    const { message } = denialBody(outcome);
    throw new TRPCError({
      code: codes[outcome.status] ?? 'FORBIDDEN',
      message,
      cause: Object.assign(new Error(message), outcome),
    });
  }) as (options: Options) => ReturnType<Options['next']>;
}
