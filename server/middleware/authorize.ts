/** `--authorization=basic`: a policy decides whether a request is let in, before anything is routed. */
import type { DecideOptions } from '../../runtime/engine/policy-engine.js';
import { isObject, type PlainObject, type Value } from '../../runtime/values/value.js';
import { ApiError } from '../api-error.js';
import { isYaml, readBody, textOf, wholeJson, yamlValue } from '../body.js';
import type { Exchange } from '../exchange.js';
import { percentDecoded } from '../params.js';
import type { Services } from '../services.js';
import { identify } from './authenticate.js';

/** Rejects with an ApiError where the policy does not let the request in. */
export async function authorize(exchange: Exchange, services: Services): Promise<void> {
  const { engine, settings } = services;
  const input = await inputOf(exchange, services);
  const decision = await engine.decide(settings.authorizationDecision, input, optionsFor(services), ({ value }) => value, exchange.request);
  if (decision === undefined) throw new ApiError(500, 'internal_error', 'authorization policy missing or undefined');
  if (decision === true) return;
  if (decision === null || !isObject(decision)) throw unauthorized();
  const { allowed, reason } = decision as PlainObject;
  if (allowed === undefined) throw new ApiError(500, 'internal_error', 'document missing or undefined');
  if (allowed !== true) throw unauthorized(typeof reason === 'string' ? reason : undefined);
}

const knownOptions = new WeakMap<Services, DecideOptions>();

/** The same for all requests: the engine remembers what it makes of options. */
function optionsFor(services: Services): DecideOptions {
  let options = knownOptions.get(services);
  if (options === undefined) {
    options = { timeMs: services.settings.evaluationTimeMs, onPrint: (line) => services.logger.info(line) };
    knownOptions.set(services, options);
  }
  return options;
}

function unauthorized(reason = 'request rejected by administrative policy'): ApiError {
  return new ApiError(401, 'unauthorized', reason);
}

async function inputOf(exchange: Exchange, services: Services): Promise<PlainObject> {
  const { method } = exchange;
  const path = (percentDecoded(exchange.path) ?? exchange.path).replace(/^\//, '').split('/');
  const body = seesBody(method, path) ? await bodyOf(exchange, services) : undefined;
  return {
    path,
    method,
    params: Object.fromEntries(exchange.params.entries()),
    headers: Object.fromEntries(exchange.headers()),
    ...(identify(exchange, services.settings) as PlainObject),
    ...(body !== undefined && { body }),
  };
}

/** Policies see the bodies that hold inputs, not those that hold data, policies or queries. */
function seesBody(method: string, path: readonly string[]): boolean {
  return method === 'POST' && ((path.length === 1 && path[0] === '') || ((path[0] === 'v0' || path[0] === 'v1') && path[1] === 'data'));
}

/** Undefined for an empty body. Rejects with a MalformedBody. */
async function bodyOf(exchange: Exchange, { settings }: Services): Promise<Value | undefined> {
  const text = textOf(await readBody(exchange, settings.limits));
  if (text.trim() === '') return undefined;
  return isYaml(exchange) ? yamlValue(text) : wholeJson(text);
}
