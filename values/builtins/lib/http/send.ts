/** `http.send`. It waits, see `BuiltinContext.wait`. */
import { objectGet } from '../../../compare.js';
import { SizeError } from '../../../memory.js';
import { allAtOnce, inSlices } from '../../../steps.js';
import type { ObjectValue } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { missingHost } from '../../host.js';
import type { NetworkResponse } from '../../host-network.js';
import { exchange } from './exchange.js';
import { ExchangeError, wrong } from './failure.js';
import { type CachePolicy, type HttpRequest, Parameters } from './parameters.js';
import { type Decoding, headerOf, responseSteps } from './response.js';
import { expiryFromHeaders, expiryOf, type Kept, ResponseStore, refreshed } from './store.js';

export function send(request: ObjectValue, context: BuiltinContext): ObjectValue {
  const raises = objectGet(request, 'raise_error') ?? true;
  if (typeof raises !== 'boolean') throw new BuiltinError('invalid value for raise_error field');
  try {
    return answer(new Parameters(request), context);
  } catch (error) {
    if (error instanceof ExchangeError) {
      if (raises) throw new BuiltinError(error.raised);
      return { status_code: 0, error: { code: 'eval_http_send_network_error', message: error.message } };
    }
    if (raises || !(error instanceof BuiltinError)) throw error;
    return {
      status_code: 0,
      error: { code: 'eval_http_send_internal_error', message: `${error.code}: http.send: ${error.message}` },
    };
  }
}

/** The reference's names of the measured times. */
const timer = 'timer_rego_builtin_http_send_ns';
const sentCounter = 'counter_rego_builtin_http_send_network_requests';
const keptCounter = 'counter_rego_builtin_http_send_interquery_cache_hits';

/**
 * The response of a request: the same throughout one evaluation, and across evaluations as long as
 * it may be kept.
 */
function answer(parameters: Parameters, context: BuiltinContext): ObjectValue {
  const key = `http.send\n${parameters.key()}`;
  const remembered = context.memory.get(key) as ObjectValue | undefined;
  if (remembered !== undefined) return remembered;
  const policy = parameters.cachePolicy();
  const decoding = {
    forceJson: parameters.boolean('force_json_decode'),
    forceYaml: parameters.boolean('force_yaml_decode'),
  };
  const store = policy === undefined ? undefined : responseStore(context);
  const kept = store?.get(key);
  if (kept !== undefined && nowMs(context) < kept.expires) {
    context.metrics?.count(keptCounter, `${key} 0`);
    const started = performance.now();
    const value = kept.value ?? allAtOnce(responseSteps(kept.response, decoding));
    context.memory.set(key, value);
    took(started, context);
    return value;
  }
  const { network } = context.host;
  if (network === undefined) throw missingHost('network');
  // Wrong parameters are reported before anything is sent.
  const request = parameters.request(context, network);
  const retries = parameters.retries();
  const keeping = { key, decoding, policy, store, kept, keepsDecoded: keepsDecoded(parameters) };
  const value = context.wait(key, (signal) => {
    const started = performance.now();
    let sent = 0;
    const fetch = (headers: Headers) => {
      context.metrics?.count(sentCounter, `${key} ${sent++}`);
      return exchange(withHeaders(request, headers), retries, context, network, signal);
    };
    return fetched(fetch, keeping, context).finally(() => took(started, context));
  });
  context.memory.set(key, value);
  return value;
}

function took(started: number, { metrics }: BuiltinContext): void {
  metrics?.add(timer, Math.round((performance.now() - started) * 1e6));
}

interface Keeping {
  readonly key: string;
  readonly decoding: Decoding;
  readonly policy: CachePolicy | undefined;
  readonly store: ResponseStore | undefined;
  /** A stale response, which the server may confirm. */
  readonly kept: Kept | undefined;
  readonly keepsDecoded: boolean;
}

type Headers = readonly (readonly [string, string])[];

function withHeaders(request: HttpRequest, headers: Headers): HttpRequest {
  return headers.length === 0 ? request : { ...request, headers: new Map([...request.headers, ...headers]) };
}

async function fetched(
  fetch: (headers: Headers) => Promise<NetworkResponse>,
  keeping: Keeping,
  context: BuiltinContext,
): Promise<ObjectValue> {
  const { kept, store, policy, key } = keeping;
  const conditions = kept === undefined ? [] : conditionsOf(kept.response);
  if (kept !== undefined && policy !== undefined && conditions.length > 0) {
    const response = await fetch(conditions);
    store?.delete(key);
    if (response.statusCode === 200) return keep(response, keeping, context);
    if (response.statusCode === 304) {
      const expires =
        policy.forcedSeconds === undefined ? expiryFromHeaders(response) : nowMs(context) + policy.forcedSeconds * 1000;
      if (expires === undefined)
        throw wrong(headerOf(response, 'date') === undefined ? 'no date header' : 'invalid max-age directive');
      return put(refreshed(kept.response, response), expires, keeping);
    }
  }
  return keep(await fetch([]), keeping, context);
}

function conditionsOf(response: NetworkResponse): [string, string][] {
  const conditions: [string, string][] = [];
  const tag = headerOf(response, 'etag');
  const modified = headerOf(response, 'last-modified');
  if (tag !== undefined && tag !== '') conditions.push(['If-None-Match', tag]);
  if (modified !== undefined && modified !== '') conditions.push(['If-Modified-Since', modified]);
  return conditions;
}

async function keep(response: NetworkResponse, keeping: Keeping, context: BuiltinContext): Promise<ObjectValue> {
  const expires = keeping.policy === undefined ? undefined : expiryOf(response, keeping.policy, nowMs(context));
  return await (expires === undefined ? decodedValue(response, keeping.decoding) : put(response, expires, keeping));
}

async function put(
  response: NetworkResponse,
  expires: number,
  { key, decoding, store, keepsDecoded }: Keeping,
): Promise<ObjectValue> {
  const value = await decodedValue(response, decoding);
  store?.set(key, { response, expires, value: keepsDecoded ? value : undefined });
  return value;
}

async function decodedValue(response: NetworkResponse, decoding: Decoding): Promise<ObjectValue> {
  try {
    return await inSlices(responseSteps(response, decoding));
  } catch (error) {
    if (error instanceof SizeError) throw wrong(`response body: ${error.message}`);
    throw error;
  }
}

/**
 * An invalid `caching_mode` is no error at this point: the response is only not cached in decoded
 * form.
 */
function keepsDecoded(parameters: Parameters): boolean {
  try {
    return parameters.keepsDecoded();
  } catch (error) {
    if (error instanceof BuiltinError) return false;
    throw error;
  }
}

function responseStore(context: BuiltinContext): ResponseStore {
  const stores = context.caches.of<ResponseStore>('http.send', 1);
  let store = stores.get('responses');
  if (store === undefined) stores.set('responses', (store = new ResponseStore()));
  return store;
}

function nowMs(context: BuiltinContext): number {
  return Number(context.timeNs / 1_000_000n);
}
