/** A guard for Fastify: `import { guard } from 'writ/fastify'`. */
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

interface FastifyReply {
  headers(headers: Readonly<Record<string, string>>): unknown;
  code(status: number): { send(body: unknown): unknown };
}

/**
 * A hook that asks a policy, for `preHandler`. A denial has Fastify's form of errors, with the
 * reasons.
 * @example
 * const preHandler = guard(allow, (request: FastifyRequest) => ({ user: request.user }));
 * app.delete('/orders/:id', { preHandler }, remove);
 */
export function guard<Input, const Made extends Checked<Input, Made>, Request>(
  decision: GuardDecision<Input>,
  input: InputOf<[Request], Made>,
  options?: GuardOptions<Request, NoInfer<Made>>,
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  const check = createGuard(decision, input, options);
  return async (request, reply) => {
    const outcome = await check(request);
    reply.headers(outcome.headers);
    if (outcome.allowed) return undefined;
    return reply.code(outcome.status).send({ statusCode: outcome.status, ...denialBody(outcome) });
  };
}
