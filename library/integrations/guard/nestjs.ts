/** A guard for NestJS: `import { Allowed, guard } from 'writ/nestjs'`. */
import { HttpException, UseGuards } from '@nestjs/common';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { Guard, type GuardOptions } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

interface NestContext {
  switchToHttp(): { getRequest<Request>(): Request; getResponse<Response>(): Response };
}

interface NestGuard {
  canActivate(context: NestContext): Promise<boolean>;
}

/**
 * A guard that asks a policy, for `@UseGuards` and `useGlobalGuards`. A denial is an HttpException
 * with the reasons.
 */
export function guard<Input, const Made extends Checked<Input, Made>, Request>(
  decision: GuardDecision<Input>,
  input: InputOf<[request: Request, context: NestContext], Made>,
  options?: GuardOptions<NestContext, NoInfer<Made>>,
): NestGuard {
  const { check } = new Guard<NestContext, Made>(
    decision as GuardDecision<Made>,
    (context) => input(context.switchToHttp().getRequest(), context),
    options,
  );
  return {
    async canActivate(context) {
      const outcome = await check(context);
      const response = context.switchToHttp().getResponse<{ header?(name: string, value: string): void } | undefined>();
      for (const [name, value] of Object.entries(outcome.headers)) response?.header?.(name, value);
      if (!outcome.allowed)
        throw new HttpException({ statusCode: outcome.status, ...denialBody(outcome) }, outcome.status);
      return true;
    },
  };
}

/**
 * The guard as a decorator of a controller or of a handler.
 * @example
 * @Delete(':id')
 * @Allowed(allow, (request: Request) => ({ user: request.user }), { reasons: deny })
 * remove() {}
 */
export function Allowed<Input, const Made extends Checked<Input, Made>, Request>(
  ...args: Parameters<typeof guard<Input, Made, Request>>
): MethodDecorator & ClassDecorator {
  return UseGuards(guard(...args));
}
