/** A guard for Express: `import { guard } from 'writ/express'`. */
import type { Request } from 'express';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { createGuard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

interface ExpressResponse {
  set(headers: Readonly<Record<string, string>>): unknown;
  status(status: number): { json(body: unknown): unknown };
}

/** A request whose parameters are texts, as those of a path without wildcards. */
type PathRequest = Request<Record<string, string>>;

/**
 * A middleware that asks a policy. A denial is answered with the reasons as JSON; an error goes to
 * the app's error handler.
 * @example
 * const mayRemove = guard(allow, (req) => ({ id: req.params.id }), { reasons: deny });
 * app.delete('/orders/:id', mayRemove, remove);
 */
export function guard<Input, const Made extends Checked<Input, Made>, R = PathRequest>(
  decision: GuardDecision<Input>,
  input: InputOf<[R], Made>,
  options?: GuardOptions<R, NoInfer<Made>>,
): (request: R, response: ExpressResponse, next: (error?: unknown) => void) => void {
  const check = createGuard(decision, input, options);
  return (request, response, next) => {
    check(request)
      .then((outcome) => {
        response.set(outcome.headers);
        if (outcome.allowed) next();
        else response.status(outcome.status).json(denialBody(outcome));
      })
      .catch(next);
  };
}
