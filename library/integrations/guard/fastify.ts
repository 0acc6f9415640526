/** A guard for Fastify: `import { guard } from 'writ/fastify'`. */
import type { FastifyRequest } from 'fastify';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

interface FastifyReply {
  headers(headers: Readonly<Record<string, string>>): unknown;
  code(status: number): { send(body: unknown): unknown };
}

type Hook<Request> = (request: Request, reply: FastifyReply) => Promise<unknown>;

/** The request of a route; of a route without type arguments nothing is inferred. */
type Asked<Request> = [Request] extends [never] ? FastifyRequest : Request;

// biome-ignore lint/suspicious/noExplicitAny: a request of any route
type AnyRequest = FastifyRequest<any, any, any, any, any, any, any, any>;

/**
 * A hook that asks a policy, for `preHandler`. A denial has Fastify's form of errors, with the
 * reasons.
 * @example
 * const preHandler = guard(allow, (request) => ({ token: request.headers.authorization }));
 * app.delete('/orders/:id', { preHandler }, remove);
 */
export function guard<Input, const Made extends Checked<Input, Made>, Request = FastifyRequest>(
  decision: GuardDecision<Input>,
  input: InputOf<[Asked<Request>], Made>,
  options?: GuardOptions<Asked<Request>, NoInfer<Made>>,
): Hook<Request> & ([Request] extends [never] ? Hook<AnyRequest> : unknown) {
  const check = createGuard(decision, input, options);
  const hook = async (request: Asked<Request>, reply: FastifyReply): Promise<unknown> => {
    const outcome = await check(request);
    reply.headers(outcome.headers);
    if (outcome.allowed) return undefined;
    return reply.code(outcome.status).send({ statusCode: outcome.status, ...denialBody(outcome) });
  };
  return hook as ReturnType<typeof guard<Input, Made, Request>>;
}
