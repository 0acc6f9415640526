/** The values that the mask policy of the decision log hides from a recording. */

import { MaskError, maskedPaths, maskRules } from '../../engine/index.js';
import { documentPathText } from '../../library/parts.js';
import { isSet, type PlainObject } from '../../values/index.js';
import { compileOptions, languageVersion } from '../compile-flags.js';
import { openCommandEngine } from '../eval/command-engine.js';
import type { EvalSources } from '../eval/eval-sources.js';
import { openPlans, type RoundSettings } from '../eval/plan-results.js';
import { parseAll, sourceOptions } from '../eval/read-sources.js';
import { Timers } from '../eval/timers.js';

const logMask = 'system/log/mask';

/**
 * The paths that the mask decision names, of policies and of plans. Throws an Error where it fails,
 * and where the one that a flag names is undefined: nothing is recorded then.
 */
export async function maskedBy(
  event: PlainObject,
  sources: EvalSources,
  settings: RoundSettings,
): Promise<readonly (readonly string[])[]> {
  const given = settings.flags.text('mask-decision');
  const path = (given ?? logMask)
    .replace(/^data\./, '')
    .split(/[./]/)
    .filter((key) => key !== '');
  const found = [
    await ofPlans(path, event, sources, settings),
    await ofPolicies(path, event, sources, settings),
  ].filter((paths) => paths !== undefined);
  if (found.length === 0 && given !== undefined) throw new Error(`the mask decision ${given} is undefined`);
  return found.flat();
}

/** Undefined where no plan answers it. */
async function ofPlans(
  path: readonly string[],
  event: PlainObject,
  sources: EvalSources,
  { io, capabilities }: RoundSettings,
) {
  if (sources.bundle.plans.length === 0) return undefined;
  const engine = await openPlans(sources, io, { capabilities, endsSoon: true });
  try {
    const value = await engine.valueAsync(documentPathText(path), event);
    return value === undefined ? undefined : maskRules(isSet(value) ? [...value] : value).map((rule) => rule.path);
  } catch (error) {
    throw failed(error);
  } finally {
    await engine.close();
  }
}

/** Undefined where no policy is at the path. */
async function ofPolicies(
  path: readonly string[],
  event: PlainObject,
  sources: EvalSources,
  { flags, io }: RoundSettings,
) {
  if (sources.bundle.modules.length + (sources.loose?.modules.length ?? 0) === 0) return undefined;
  const options = await compileOptions(flags);
  const parsed = parseAll(sources, { version: languageVersion(flags), capabilities: options.capabilities });
  const engine = await openCommandEngine(parsed, sources.bundle.data, sourceOptions(options, flags, new Timers()), io);
  if (!engine.isVirtual(path) && engine.readData(path) === undefined) return undefined;
  const masked = await maskedPaths(engine, await engine.compiled(), sources.bundle.data, event, path);
  if (masked instanceof MaskError) throw failed(masked);
  return masked;
}

function failed(error: unknown): Error {
  return new Error(`nothing is recorded: the mask decision failed: ${(error as Error).message}`, { cause: error });
}
