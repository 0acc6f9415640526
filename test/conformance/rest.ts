/**
 * Runs recorded REST scenarios, each against a server or an engine of its own, with its steps in
 * order.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { parseCaseFile } from './cases.js';
import { failed, type Outcome, passed } from './outcome.js';
import { type Result, readGaps } from './report.js';
import { difference } from './rest-compare.js';
import { type Judgement, openScenario } from './rest-library.js';
import {
  type ReceivedResponse,
  type RestResponse,
  type RestScenario,
  type RestStep,
  type RunningScenario,
  startScenario,
} from './rest-scenario.js';

/** A scenario whose requests are made, in order, of a server or of an engine in the process. */
interface Opened {
  judge(step: RestStep): Promise<Judgement>;
  stop(): Promise<void>;
}

/** Ways to run scenarios, by the names of their suites. */
const faces = { rest: onServer, library: inProcess } satisfies Record<string, (scenario: RestScenario) => Promise<Opened>>;

export type RestFace = keyof typeof faces;

/** Runs the scenarios of some files. A skipped step is a separate result. */
export async function runRest(files: readonly string[], face: RestFace = 'rest'): Promise<Result[]> {
  const results: Result[] = [];
  const gaps = readGaps();
  for (const file of files) {
    const { area, scenarios } = parseCaseFile(file, readFileSync(file, 'utf8')) as unknown as { area?: string; scenarios: RestScenario[] };
    const family = area ?? basename(file, '.json');
    for (const scenario of scenarios) {
      const add = (note: string, outcome: Outcome) => {
        results.push({ found: { family, file, case: { note: `${family}: ${note}` } }, outcome });
      };
      const isGapOf = (suite: RestFace, note: string) => Object.hasOwn(gaps[suite] ?? {}, `${family}: ${note}`);
      await runScenario(scenario, face, isGapOf, add);
    }
  }
  return results;
}

async function runScenario(
  scenario: RestScenario,
  face: RestFace,
  isGapOf: (suite: RestFace, note: string) => boolean,
  add: (note: string, outcome: Outcome) => void,
): Promise<void> {
  let opened: Opened;
  try {
    opened = await faces[face](scenario);
  } catch (error) {
    add(scenario.name, failed(`it did not start: ${(error as Error).message}`));
    return;
  }
  const problems: string[] = [];
  let judged = 0;
  try {
    for (const [i, step] of scenario.steps.entries()) {
      const { method, path } = step.request;
      const judgement = await opened.judge(step);
      // A step that is a gap, or passed over, is a separate result, so that the others still count.
      const note = `${scenario.name}, step ${i + 1}`;
      if ('passedOver' in judgement) add(note, { skipped: judgement.passedOver });
      else if (face !== 'rest' && isGapOf('rest', note)) add(note, { skipped: 'steps whose recorded answers are wrong' });
      else if (isGapOf(face, note)) add(note, judgement.why === undefined ? passed : failed(judgement.why));
      else {
        judged++;
        if (judgement.why !== undefined) problems.push(`step ${i + 1}, ${method} ${path}: ${judgement.why}`);
      }
    }
  } finally {
    await opened.stop();
  }
  if (judged > 0) add(scenario.name, problems.length === 0 ? passed : failed(problems.join('\n    ')));
}

async function inProcess(scenario: RestScenario): Promise<Opened> {
  const { judge, stop } = await openScenario(scenario);
  return { stop, judge: ({ request, response }) => judge(request, response) };
}

async function onServer(scenario: RestScenario): Promise<Opened> {
  const running = await startScenario(scenario);
  return { stop: () => running.stop(), judge: async (step) => ({ why: await runStep(step, running) }) };
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
