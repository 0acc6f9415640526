/** The values that the mask policy of the decision log hides. */
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { prepareQueries } from '../../query/evaluate.js';
import { lookup } from '../../runtime/values/compare.js';
import { isSet, type PlainObject, type Value } from '../../runtime/values/value.js';
import type { Engine } from '../engine.js';
import { evaluateAsync } from '../evaluation/evaluate.js';
import { MaskError, maskRules } from './mask-rules.js';

const logMask = ['system', 'log', 'mask'];

/** The paths that the mask decision names for an event; none if there is no such decision. */
export async function maskedPaths(
  engine: Engine,
  compiled: Compiled,
  data: Value,
  event: PlainObject,
  path: readonly string[] = logMask,
): Promise<readonly (readonly string[])[] | MaskError> {
  try {
    const value = await maskDecision(engine, compiled, data, event, path);
    return value === undefined ? [] : maskRules(isSet(value) ? [...value] : value).map((rule) => rule.path);
  } catch (error) {
    return error instanceof MaskError ? error : new MaskError((error as Error).message);
  }
}

/** A plan may have no entrypoint for the mask policy that is in the sources beside it. */
async function maskDecision(
  engine: Engine,
  compiled: Compiled,
  data: Value,
  event: PlainObject,
  path: readonly string[],
): Promise<Value | undefined> {
  const isKnown = engine.isVirtual(path) || engine.readData(path) !== undefined || engine.version.plans.has(path);
  if (isKnown) return (await engine.decide(path, event)).value;
  const executable = await prepareQueries(compiled, [{ name: 'mask', path }]);
  const [found] = await evaluateAsync({ executable, plan: 0 }, event, data, engine.context, {});
  return found === undefined ? undefined : lookup(found, 'result');
}
