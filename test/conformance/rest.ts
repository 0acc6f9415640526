/** Runs recorded REST scenarios, each against its own server, with its steps in order. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { parseCaseFile } from './cases.js';
import { failed, type Outcome, passed } from './outcome.js';
import { type Result, readGaps } from './report.js';
import { difference } from './rest-compare.js';
import {
  type ReceivedResponse,
  type RestResponse,
  type RestScenario,
  type RestStep,
  type RunningScenario,
  startScenario,
} from './rest-scenario.js';

/** Runs the scenarios of some files. A skipped step is a separate result. */
export async function runRest(files: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  const gaps = readGaps().rest ?? {};
  for (const file of files) {
    const { area, scenarios } = parseCaseFile(file, readFileSync(file, 'utf8')) as unknown as { area?: string; scenarios: RestScenario[] };
    const family = area ?? basename(file, '.json');
    for (const scenario of scenarios) {
      const add = (note: string, outcome: Outcome) => results.push({ found: { family, file, case: { note } }, outcome });
      await runScenario(
        scenario,
        (note) => Object.hasOwn(gaps, `${family}: ${note}`),
        (note, outcome) => add(`${family}: ${note}`, outcome),
      );
    }
  }
  return results;
}

async function runScenario(
  scenario: RestScenario,
  isGap: (note: string) => boolean,
  add: (note: string, outcome: Outcome) => void,
): Promise<void> {
  let running: RunningScenario;
  try {
    running = await startScenario(scenario);
  } catch (error) {
    add(scenario.name, failed(`the server did not start: ${(error as Error).message}`));
    return;
  }
  const problems: string[] = [];
  try {
    for (const [i, step] of scenario.steps.entries()) {
      const { method, path } = step.request;
      const name = `step ${i + 1}, ${method} ${path}`;
      const why = await runStep(step, running);
      // A step listed as a gap is a separate result, so that the other steps still count.
      const note = `${scenario.name}, step ${i + 1}`;
      if (isGap(note)) {
        add(note, why === undefined ? passed : failed(why));
        continue;
      }
      if (why !== undefined) problems.push(`${name}: ${why}`);
    }
  } finally {
    await running.stop();
  }
  add(scenario.name, problems.length === 0 ? passed : failed(problems.join('\n    ')));
}

/** Runs a step; one marked `retry` is repeated until it matches. */
async function runStep(step: RestStep, running: RunningScenario): Promise<string | undefined> {
  const until = performance.now() + (step.retry === true ? 5000 : 0);
  for (;;) {
    const why = judge(step.response, await running.send(step.request));
    if (why === undefined || performance.now() >= until) return why;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function judge(want: RestResponse, got: ReceivedResponse): string | undefined {
  const why = judgeAll(want, got);
  if (why === undefined) return undefined;
  return want.alternatives?.some((alternative) => judgeBody(alternative, got) === undefined) === true ? undefined : why;
}

function judgeAll(want: RestResponse, got: ReceivedResponse): string | undefined {
  for (const [name, value] of Object.entries(want.headers ?? {})) {
    if (got.headers[name] !== value) return `header ${name}: wanted ${value}, got ${got.headers[name]}`;
  }
  if (want.headers?.['content-encoding'] === undefined && got.headers['content-encoding'] !== undefined)
    return 'the body should not be compressed';
  return judgeBody(want, got) ?? judgeLayout(want, got);
}

function judgeBody(want: Partial<RestResponse>, got: ReceivedResponse): string | undefined {
  if (want.status !== undefined && got.status !== want.status)
    return `wanted status ${want.status}, got ${got.status}: ${got.text.slice(0, 400)}`;
  const missing = want.contains?.find((part) => !got.text.includes(part));
  if (missing !== undefined) return `the body does not contain ${missing}`;
  if (want.body === undefined) return undefined;
  let body: Value;
  try {
    body = parseJson(got.text);
  } catch {
    return `the body is no JSON: ${got.text.slice(0, 200)}`;
  }
  return difference(want.body, body, want);
}

function judgeLayout({ body, layout }: RestResponse, { text }: ReceivedResponse): string | undefined {
  if (body === undefined) return undefined;
  if (!text.endsWith('\n')) return 'the body does not end in a newline';
  const lines = text.trimEnd().split('\n');
  if (layout === 'compact' && lines.length > 1) return 'the body should be on one line';
  const isEmpty = /^(\{\}|\[\]|[^{[].*)$/s.test(text.trimEnd());
  if (layout === 'indented' && !isEmpty && !/^ {2}\S/.test(lines[1] ?? '')) return 'the body should be indented';
  return undefined;
}
