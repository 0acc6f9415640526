/** `POST /v1/diff`: the recent decisions, made again with a change that is not active. */
import { CompileErrors } from '../../../compiler/index.js';
import type { Engine } from '../../../engine/index.js';
import { isPlainObject, nextTurn, type PlainObject, type Value } from '../../../values/index.js';
import { compareVersions, type EventBatches, givenEvents, versionsAnswer } from '../../../views/index.js';
import type { AppContext } from '../../control/app-context.js';
import type { RecentDecision } from '../../services/decision-log/recent-decisions.js';
import { type ProposedChange, proposedChange } from '../requests/diff-request.js';
import type { Exchange } from '../requests/exchange.js';
import { type HttpAnswer, jsonAnswer } from '../responses/answer.js';
import { ApiError, invalidParameter, moduleErrors, unavailable } from '../responses/api-error.js';

/** A decision may take so long: others wait for it. */
const decisionMs = 100;
/** Decisions are made for so long before other requests have a turn. */
const sliceMs = 10;
/** Finding the rules behind all differences may take so long. */
const causesMs = 500;
/** A comparison ends after this also where requests have no limit. */
const longestMs = 30_000;
/** Engines whose decisions are compared now: one comparison of each at a time. */
const comparing = new WeakSet<Engine>();

export async function postDiff(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const { engine, recent, plugins, settings } = context;
  if (recent === undefined || plugins.decisionLog?.keepsRecent !== true)
    throw new ApiError(400, 'invalid_operation', 'no decisions are kept: set decision_logs.recent');
  if (comparing.has(engine)) throw unavailable('another comparison is running');
  comparing.add(engine);
  try {
    const until = Math.min(exchange.deadline.until, performance.now() + longestMs);
    const draft = await proposedChange(exchange, settings.limits, engine);
    const report = await compared(exchange, context, draft, { recent: recent.all(), until });
    return jsonAnswer(200, report, exchange.params.on('pretty'));
  } finally {
    comparing.delete(engine);
  }
}

interface Task {
  readonly recent: readonly RecentDecision[];
  readonly until: number;
}

async function compared(
  exchange: Exchange,
  { engine, settings }: AppContext,
  draft: ProposedChange,
  { recent, until }: Task,
): Promise<Value> {
  const held = engine.store.hold();
  try {
    exchange.saw(engine.version.revision);
    const next = engine.alike(staying(engine.store.root, draft, engine.hidesSystem));
    await next.commit(draft.change, {
      ignoreRoots: true,
      until,
      checksHeap: true,
      maxStatementTokens: settings.limits.maxStatementTokens,
    });
    const pair = { old: { name: 'active', engine }, new: { name: draft.name, engine: next } };
    const paths = exchange.params.all('entrypoint');
    const missing = paths.find((path) => !versionsAnswer(pair, path));
    if (missing !== undefined) throw invalidParameter(`neither version has anything at ${missing}`);
    const report = await compareVersions(pair, {
      events: eventsInSlices(recent, until),
      replay: { decisionMs, causesMs, ...(paths.length > 0 && { paths }) },
    });
    return report as unknown as Value;
  } catch (error) {
    throw error instanceof CompileErrors ? moduleErrors(error) : error;
  } finally {
    held.release();
  }
}

/** The documents that a draft does not replace: the objects on the way to one are copied. */
function staying(root: PlainObject, { replaced }: ProposedChange, hidesSystem: boolean): PlainObject {
  const { system } = root;
  const kept = replaced.reduce<PlainObject>(without, root);
  return hidesSystem && system !== undefined ? { ...kept, system } : kept;
}

function without(object: PlainObject, [key, ...rest]: readonly string[]): PlainObject {
  if (key === undefined) return {};
  const member = Object.hasOwn(object, key) ? object[key] : undefined;
  if (member === undefined) return object;
  const { [key]: _, ...others } = object;
  if (rest.length === 0) return others;
  return isPlainObject(member) ? { ...others, [key]: without(member, rest) } : object;
}

/** The oldest first; other requests have a turn after each slice. */
async function* eventsInSlices(recent: readonly RecentDecision[], until: number): EventBatches {
  let began = performance.now();
  for (const [i, { event, isShortened }] of recent.toReversed().entries()) {
    if (performance.now() - began > sliceMs) {
      await nextTurn();
      began = performance.now();
    }
    if (performance.now() > until)
      throw unavailable('the comparison takes too long: name fewer decisions by entrypoint');
    const place = { file: 'recent', line: i + 1 };
    if (isShortened) yield [{ problem: { kind: 'wrong', problem: 'it is too long to be kept whole' }, ...place }];
    else yield givenEvents(place.file, place.line, [event]);
  }
}
