/** Partial evaluation and data filters of the page. */

import { type FilterTarget, libraryFilter, partialDecision } from '../../../../library/parts.js';
import { toIndentedJson, type Value } from '../../../../values/index.js';
import { readDocument } from '../../worker/shown-results.js';
import type { OpenProjects } from './opened-project.js';
import { askedPath } from './planned-query.js';
import type { PartialAnswer, PlaygroundRequests } from './protocol.js';

/** The time that one may take, in milliseconds. */
const timeMs = 5000;

/** Rejects with CompileErrors, and with EngineErrors for unknowns that are no refs. */
export async function partial(
  projects: OpenProjects,
  asked: PlaygroundRequests['partial']['ask'],
): Promise<PartialAnswer> {
  const { engine } = await projects.open(asked);
  const input = readDocument('input', asked.input);
  const options = { unknowns: asked.unknowns, timeMs, ...(input !== undefined && { input }) };
  const caller = { signal: AbortSignal.timeout(timeMs) };
  const { queries, modules } = await partialDecision(engine, asked.query, options, { caller, attachment: undefined });
  return { queries, modules };
}

/** Rejects with FilterErrors for conditions that the target has not. */
export async function filterOfProject(
  projects: OpenProjects,
  asked: PlaygroundRequests['filter']['ask'],
): Promise<{ readonly rows: string; readonly text: string }> {
  const { engine } = await projects.open(asked);
  const path = askedPath(asked.query);
  if (path === undefined) throw new Error('a filter is made of one rule: ask for it as data.package.rule');
  const input = readDocument('input', asked.input);
  const options = {
    target: asked.target as FilterTarget,
    unknowns: asked.unknowns,
    timeMs,
    ...(input !== undefined && { input }),
  };
  const found = await libraryFilter(engine, path, options, AbortSignal.timeout(timeMs), {
    beside: async () => undefined,
  });
  if ('text' in found) return { rows: found.rows, text: `${found.text}\n-- ${JSON.stringify(found.values)}` };
  const condition = 'where' in found ? found.where : found.condition;
  return { rows: found.rows, text: condition === undefined ? '' : toIndentedJson(condition as Value) };
}
