/** `eval --plan-profile`: counts and times of statements, in five formats. */

import { buildInfo, type PlanRunOptions } from '../../engine/index.js';
import { toPlain, type Value } from '../../values/index.js';
import type { ProfileDocument, ProfiledPlan } from '../../views/index.js';
import { chromeTrace, cpuProfile, profileFormat, profilePlans, profileVersion, speedscope } from '../../views/index.js';
import type { Io } from '../io.js';
import { orderedJson } from '../output/ordered-json.js';
import type { PlanRuns } from './plan-runs.js';
import { profileText } from './profile-text.js';

/** Statements that a profile shows for people. */
const shownStatements = 20;

interface ProfiledQuestion {
  readonly text: string;
  readonly input: Value | undefined;
  readonly result?: Value;
  readonly errors?: ProfileDocument['errors'];
}

export function writeProfile(
  plans: PlanRuns,
  { text, input, result, errors }: ProfiledQuestion,
  options: PlanRunOptions,
  { format, limit }: { readonly format: string; readonly limit: number | undefined },
  io: Io,
): void {
  const profiled = profiledRuns(plans, input, options);
  const query = text.trim();
  if (format === 'speedscope') io.stdout(`${JSON.stringify(speedscope(profiled, query))}\n`);
  else if (format === 'chrome') io.stdout(`${JSON.stringify(chromeTrace(profiled, query))}\n`);
  else if (format === 'cpuprofile') io.stdout(`${JSON.stringify(cpuProfile(profiled))}\n`);
  else if (format === 'json') {
    const document: ProfileDocument = {
      format: profileFormat,
      version: profileVersion,
      writ: buildInfo.version,
      query,
      ...(result !== undefined && { result: toPlain(result) }),
      ...(errors && { errors }),
      runs: profiled.map(({ run }) => run),
    };
    io.stdout(orderedJson(document));
  } else io.stdout(profileTexts(profiled, plans, limit, io));
}

/** @param milliseconds the time of the evaluations of each plan, if they are short */
export function profiledRuns(
  { runs, data, builtins, context }: PlanRuns,
  input: Value | undefined,
  options: PlanRunOptions,
  milliseconds?: number,
): readonly ProfiledPlan[] {
  return profilePlans(runs, { documents: { input, data }, builtins, context, options }, milliseconds);
}

/** @param limit statements that are shown */
export function profileTexts(
  profiled: readonly ProfiledPlan[],
  { sources }: Pick<PlanRuns, 'sources'>,
  limit = shownStatements,
  { columns }: Pick<Io, 'columns'>,
): string {
  return profiled.map(({ run }) => `${profileText(run, { limit, sources, columns })}\n`).join('');
}
