/** The values that the mask policy of the decision log hides. */
import type { Compiled } from '../../compiler/index.js';
import { isSet, type PlainObject, type Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import { decideBeside } from '../policies/decide-beside.js';
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
  return await decideBeside(compiled, path, { input: event, data }, engine.context, {});
}
