/** Decisions of a server: `writ run`, or OPA. */
import { BatchedRequests } from './batched-requests.js';
import { GuardError } from './guard-error.js';
import { type ConnectionOptions, connect } from './remote-connection.js';
import { type Asked, askAlone } from './remote-decision.js';

export interface RemoteOptions extends ConnectionOptions {
  /** The path of the rule, such as `authz/allow`. */
  readonly path: string;
  /**
   * Whether decisions that are asked for at the same time go to the server in one request, if it
   * has OPA's batch API. Default: false.
   */
  readonly batch?: boolean | undefined;
}

/** A rule on a server, as a function. */
export interface RemoteRule<Input, Result> {
  /** Rejects with a RemoteError if the server does not decide. */
  (input: Input): Promise<Result | undefined>;
  /** Decides, and answers the result with the id that the server has given to the decision. */
  readonly ask: (input: Input) => Promise<Asked>;
  readonly options: RemoteOptions;
}

/**
 * A rule on a server as a function. Nothing checks the types of its input and result.
 * @example
 * const server = { url: 'http://localhost:8181' };
 * const allow = remote<{ user: string }, boolean>({ ...server, path: 'authz/allow' });
 * await allow({ user: 'alice' });
 */
export function remote<Input = unknown, Result = boolean>(options: RemoteOptions): RemoteRule<Input, Result> {
  const path = options.path
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodeURIComponent)
    .join('/');
  if (path === '')
    throw new GuardError('invalid_option', 'a remote decision needs the path of a rule, such as authz/allow');
  const connection = connect(options);
  const batches = options.batch === true ? new BatchedRequests(connection, path) : undefined;
  const ask = (input: Input) => (batches === undefined ? askAlone(connection, path, input) : batches.ask(input));
  const rule = async (input: Input) => (await ask(input)).result as Result | undefined;
  return Object.assign(rule, { ask, options });
}

export function isRemoteRule(rule: unknown): rule is RemoteRule<unknown, unknown> {
  return typeof rule === 'function' && 'ask' in rule && 'options' in rule;
}
