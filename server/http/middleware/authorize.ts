/** `--authorization=basic`: a policy allows or denies each request. */
import { isObject, type PlainObject, type Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { plainOptions, printsOf } from '../decisions.js';
import { mayBeLong } from '../requests/body.js';
import { wholeDocumentOf } from '../requests/document.js';
import type { Exchange } from '../requests/exchange.js';
import { percentDecoded } from '../requests/params.js';
import { ApiError } from '../responses/api-error.js';
import { identify } from './authenticate.js';

/** Rejects with an ApiError where the policy denies the request. */
export async function authorize(exchange: Exchange, context: AppContext): Promise<void> {
  checkAllowed(await decisionFor(exchange, context));
}

/** Checks another request of the client, without parameters. Rejects with an ApiError. */
export async function authorizeAs(
  exchange: Exchange,
  context: AppContext,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<void> {
  const input = { ...inputOf(exchange, context), method, path: segmentsOf(path), params: {} };
  checkAllowed(await decide(input, exchange, context));
}

function checkAllowed(decision: Value | undefined): void {
  if (decision === undefined) throw new ApiError(500, 'internal_error', 'authorization policy missing or undefined');
  if (decision === true) return;
  if (decision === null || !isObject(decision)) throw unauthorized();
  const { allowed, reason } = decision as PlainObject;
  if (allowed === undefined) throw new ApiError(500, 'internal_error', 'document missing or undefined');
  if (allowed !== true) throw unauthorized(typeof reason === 'string' ? reason : undefined);
}

/** Reads a body that may be long only if the policy needs it. */
async function decisionFor(exchange: Exchange, context: AppContext): Promise<Value | undefined> {
  const { path, method } = requestOf(exchange);
  if (!seesBody(method, path, context)) return await decide(inputOf(exchange, context), exchange, context);
  if (mayBeLong(exchange)) {
    const unread = withUnreadBody(inputOf(exchange, context));
    try {
      const decision = await decide(unread.input, exchange, context);
      if (!unread.wasAsked()) return decision;
    } catch (error) {
      if (!unread.wasAsked()) throw error;
    }
  }
  const body = await wholeDocumentOf(exchange, context.settings.limits);
  return await decide({ ...inputOf(exchange, context), ...(body !== undefined && { body }) }, exchange, context);
}

function decide(input: PlainObject, exchange: Exchange, context: AppContext): Promise<Value | undefined> {
  const { decisions, settings, logger } = context;
  const { decision } = decisions.at('authorization', '', () => settings.authorizationDecision);
  const timeMs = Math.min(exchange.deadline.leftMs, settings.evaluationTimeMs);
  const isPlain = timeMs === settings.evaluationTimeMs && !logger.writes('info');
  const options = isPlain ? undefined : { ...plainOptions(settings), timeMs, onPrint: printsOf(exchange, context) };
  return decision.decide(input, ({ value }) => value, exchange, options);
}

/** An input without a body that records whether the evaluation looked for one. */
function withUnreadBody(input: PlainObject): { readonly input: PlainObject; wasAsked(): boolean } {
  let asked = false;
  const note = (key: unknown) => {
    asked ||= key === 'body';
  };
  const noting = new Proxy(input, {
    get(target, key) {
      note(key);
      return Reflect.get(target, key) as unknown;
    },
    has(target, key) {
      note(key);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      note(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    ownKeys(target) {
      note('body');
      return Reflect.ownKeys(target);
    },
  });
  return { input: noting, wasAsked: () => asked };
}

function unauthorized(reason = 'request rejected by administrative policy'): ApiError {
  return new ApiError(401, 'unauthorized', reason);
}

function requestOf(exchange: Exchange): { readonly method: string; readonly path: readonly string[] } {
  const { method } = exchange;
  return { method, path: segmentsOf(exchange.path) };
}

function segmentsOf(path: string): readonly string[] {
  return (percentDecoded(path) ?? path).replace(/^\//, '').split('/');
}

/** The input without the body. */
function inputOf(exchange: Exchange, { settings }: AppContext): PlainObject {
  return {
    ...requestOf(exchange),
    params: Object.fromEntries(exchange.params.entries()),
    headers: Object.fromEntries(exchange.headers()),
    ...(identify(exchange, settings) as PlainObject),
  };
}

/** Whether the body holds an input: policies do not see data, policies or queries. */
function seesBody(method: string, path: readonly string[], { settings }: AppContext): boolean {
  if (method !== 'POST') return false;
  const [api, kind, batched] = path;
  if (api === 'access' && kind === 'v1') return settings.authzen !== undefined;
  if (path.length === 1) return api === '';
  return (
    (api === 'v0' && kind === 'data') || (api === 'v1' && (kind === 'data' || (kind === 'batch' && batched === 'data')))
  );
}
