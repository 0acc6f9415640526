import type { Json } from '../../../values/index.js';
import { readRecording } from '../../../views/index.js';
import { inspectedPlan } from './inspected-plan.js';
import type { OpenedRecording } from './page-data.js';
import { sourceTexts } from './source-texts.js';

/**
 * The content of a `.writtrace` file: the runs of its first plan. Throws as `readRecording` does,
 * and an Error for a recording without runs.
 */
export function openedRecording(text: string): OpenedRecording {
  const { query, input, result, errors, policies, sources, runs, debug } = readRecording(text);
  const [first] = runs;
  const policy = policies[first?.policy ?? -1];
  if (first === undefined || policy === undefined) throw new Error('the recording has no run');
  const problems = (errors ?? []).map(({ code, message }) => (code === undefined ? message : `${code}: ${message}`));
  const own = debug?.[first.policy] ?? undefined;
  return {
    query,
    plan: inspectedPlan(policy, own),
    sources: sourceTexts(sources, [], own),
    input: input === undefined ? '' : indented(input),
    runs: runs.filter((run) => run.policy === first.policy),
    ...(result !== undefined && { result: indented(result) }),
    ...(problems.length > 0 && { error: problems.join('\n') }),
  };
}

function indented(value: Json): string {
  return JSON.stringify(value, undefined, 2);
}
