/** Writes of clients: with their conditions, one or several at once. */
import type { Change, Engine } from '../../engine/index.js';
import type { DataOperation } from '../../runtime/index.js';
import type { AppContext } from '../control/app-context.js';
import type { Origin } from '../storage/entry.js';
import type { WritingOptions, Written } from '../storage/writing.js';
import { checkMatch, documentTag, policyTag, type RequestConditions } from './etags.js';
import { identify } from './middleware/authenticate.js';
import type { Exchange } from './requests/exchange.js';

type Part = Pick<Change, 'policies' | 'data'>;

/** The path or policy of a write. */
type Target = { readonly policy: string } | { readonly path: readonly string[] };

export interface ClientWrite {
  readonly part: Part;
  /** Rejects with an ApiError; false where `If-None-Match` says that nothing is to be written. */
  readonly isWanted: (engine: Engine) => Promise<boolean>;
}

export function writeOf(part: Part, target: Target, conditions: RequestConditions): ClientWrite {
  return {
    part,
    async isWanted(engine) {
      await checkMatch(conditions, () => tagAt(engine, target));
      return conditions.ifNoneMatch !== '*' || !isThere(engine, target);
    },
  };
}

function isThere(engine: Engine, target: Target): boolean {
  return 'policy' in target ? engine.policy(target.policy) !== undefined : engine.readData(target.path) !== undefined;
}

function tagAt(engine: Engine, target: Target): string | undefined | Promise<string | undefined> {
  if ('policy' in target) {
    const record = engine.policy(target.policy);
    return record && policyTag(record.raw);
  }
  const value = engine.readData(target.path);
  return value === undefined ? undefined : documentTag(value);
}

/** The conditions in the headers of a request. */
export function requestConditions(exchange: Exchange): RequestConditions {
  return { ifMatch: exchange.header('if-match'), ifNoneMatch: exchange.header('if-none-match') };
}

/** Makes all writes in one step, or none. Conditions are about the state before the first. */
export async function writeTo(
  { engine, writing, settings }: AppContext,
  exchange: Exchange,
  writes: readonly ClientWrite[],
  options: WritingOptions,
): Promise<Written> {
  const make = async () => {
    for (const { isWanted } of writes) if (!(await isWanted(engine))) return undefined;
    return together(writes, engine);
  };
  const { until } = exchange.deadline;
  const written = await writing.write(make, { until, origin: originOf(exchange, settings), ...options });
  exchange.saw(written.revision);
  return written;
}

function together(writes: readonly ClientWrite[], engine: Engine): Change | undefined {
  const policies = new Map<string, string | undefined>();
  const data: DataOperation[] = [];
  for (const { part } of writes) {
    for (const [id, text] of part.policies ?? []) {
      // A policy that comes and goes in one step was never there.
      if (text === undefined && policies.get(id) !== undefined && engine.policy(id) === undefined) policies.delete(id);
      else policies.set(id, text);
    }
    for (const operation of part.data ?? []) data.push(operation);
  }
  if (policies.size === 0 && data.length === 0) return undefined;
  return { ...(policies.size > 0 && { policies }), ...(data.length > 0 && { data }) };
}

/** Longer ids of requests are not kept. */
const longestId = 200;

/** The client's name, if it has one: a token is a secret. */
export function authorOf(exchange: Exchange, settings: AppContext['settings']): string | undefined {
  return exchange.author ?? (settings.authentication === 'tls' ? identify(exchange, settings).identity : undefined);
}

function originOf(exchange: Exchange, settings: AppContext['settings']): Origin {
  const request = exchange.header('x-request-id');
  return {
    author: authorOf(exchange, settings),
    ...(request !== undefined && request.length <= longestId && { request }),
  };
}
