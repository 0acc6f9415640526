/** Runs the tests of the page's policies. */
import { isSkippedTest, packageSegments, type Rule, testNames } from '../../../../compiler/index.js';
import { explainAnswer, failureText, notedAnswers } from '../../../../engine/index.js';
import { EvaluationError } from '../../../../runtime/index.js';
import type { Value } from '../../../../values/index.js';
import { testHolds } from '../../../../views/index.js';
import { describe } from '../../worker/shown-results.js';
import type { OpenedProject, OpenProjects } from './opened-project.js';
import { projectProblems } from './problems.js';
import type { PlaygroundProject, PlaygroundReport, PlaygroundTest } from './protocol.js';

/** The time of one test, as the command has it. */
const testMs = 5000;

interface FoundTest {
  readonly path: readonly string[];
  readonly rule: Rule;
}

/** Rules whose name begins with `test_` are tests; those with `todo_test_` are skipped. */
export async function testProject(projects: OpenProjects, project: PlaygroundProject): Promise<PlaygroundReport> {
  let opened: OpenedProject;
  try {
    opened = await projects.open(project);
  } catch (error) {
    return { tests: [], problems: projectProblems(error) };
  }
  const outcomes: PlaygroundTest[] = [];
  for (const test of testsOf(opened)) outcomes.push(await outcomeOf(opened, test));
  return { tests: outcomes, problems: [] };
}

function testsOf({ compiled }: OpenedProject): readonly FoundTest[] {
  const found = new Map<string, FoundTest>();
  for (const { parsed } of compiled.modules.values()) {
    for (const rule of parsed.rules) {
      const names = testNames(rule);
      if (names === undefined) continue;
      const whole = [...packageSegments(parsed), ...names];
      if (!found.has(whole.join('/'))) found.set(whole.join('/'), { path: whole, rule });
    }
  }
  return [...found.values()];
}

async function outcomeOf(
  { engine, compiled, data }: OpenedProject,
  { path, rule }: FoundTest,
): Promise<PlaygroundTest> {
  const test = { name: ['data', ...path].join('.'), file: rule.loc.file, row: rule.loc.row };
  if (isSkippedTest(path.at(-1))) return { ...test, state: 'skipped', milliseconds: 0 };
  const noted = notedAnswers({ timeMs: testMs, onPrint: () => undefined });
  const started = performance.now();
  const took = () => performance.now() - started;
  let value: Value | undefined;
  try {
    value = await engine.decide(path, undefined, noted.options, (decided) => decided.value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { ...test, state: 'error', milliseconds: took(), why: describe(error) };
  }
  if (testHolds(value)) return { ...test, state: 'passed', milliseconds: took() };
  const milliseconds = took();
  const answered = { question: { path }, answer: { value }, documents: { input: undefined, data } };
  const explanation = await explainAnswer(compiled, answered, engine.context, { depth: 1 }, noted);
  return { ...test, state: 'failed', milliseconds, why: failureText(explanation) };
}
