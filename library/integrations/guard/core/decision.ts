/** The kinds of decisions that a guard can ask, as one function. */
import type { Answer } from './answer.js';
import { GuardError } from './guard-error.js';
import { isRemoteRule, type RemoteOptions, remote } from './remote.js';
import type { Asked } from './remote-decision.js';

/**
 * A rule as a function of its input, such as an export of a policy's module. It may have to wait.
 */
export type Rule<Input, Result> = (input: Input) => Result | PromiseLike<Result>;

/** A decision that an engine has prepared. */
export interface PreparedRule {
  decideAsync(input?: unknown): Promise<{ readonly result?: unknown }>;
}

/** A path in an engine. */
export interface EngineRule {
  readonly engine: { decideAsync(path: string, input?: unknown): Promise<{ readonly result?: unknown }> };
  readonly path: string;
}

/**
 * The decision that a guard asks for: a rule of a policy's module (`import { allow } from
 * './authz.rego'`), a prepared decision, a path in an engine (`{ engine, path }`), or a path on a
 * server of writ or OPA (`{ url, path }`).
 */
export type GuardDecision<Input, Result = Answer> = Rule<Input, Result> | PreparedRule | EngineRule | RemoteOptions;

/** Throws a GuardError if it is no decision. */
export function askOf<Input>(decision: GuardDecision<Input, unknown>): (input: Input) => Promise<Asked> {
  if (typeof decision === 'function') {
    if (isRemoteRule(decision)) return decision.ask;
    return async (input) => ({ result: await decision(input) });
  }
  if (typeof decision === 'object' && decision !== null) {
    if ('url' in decision) return remote<Input, unknown>(decision).ask;
    if ('decideAsync' in decision) return async (input) => ({ result: (await decision.decideAsync(input)).result });
    if ('engine' in decision) {
      const { engine, path } = decision;
      if (typeof path === 'string')
        return async (input) => ({ result: (await engine.decideAsync(path, input)).result });
    }
  }
  throw new GuardError(
    'invalid_option',
    'the decision must be a function, a prepared decision, { engine, path } or { url, path }',
  );
}

/** The decision of another path, in the engine or on the server of a decision. */
export function siblingOf(decision: GuardDecision<never, unknown>, path: string): EngineRule | RemoteOptions {
  if (typeof decision === 'object' && ('url' in decision || 'engine' in decision)) return { ...decision, path };
  if (isRemoteRule(decision)) return { ...decision.options, path };
  throw new GuardError(
    'invalid_option',
    'reasons can be a path only where the decision has an engine or a server: give a rule',
  );
}
