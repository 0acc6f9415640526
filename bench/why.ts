/**
 * Time of a decision with its explanation (`Engine.explain`), and the ratio to the decision alone.
 */
import { readFileSync } from 'node:fs';
import { Engine } from '../library/index.js';
import type { PlainObject } from '../values/value.js';
import { median } from './measure.js';

interface Workload {
  readonly name: string;
  readonly policy: string;
  readonly data: PlainObject;
  readonly path: string;
  readonly input: unknown;
  readonly rounds: number;
}

const example = 'fixtures/example';
const count = 1000;
const elements = 10_000;

const workloads: readonly Workload[] = [
  {
    name: 'fixtures/example',
    policy: readFileSync(`${example}/authz.rego`, 'utf8'),
    data: JSON.parse(readFileSync(`${example}/data.json`, 'utf8')) as PlainObject,
    path: 'authz/allow',
    input: { user: 'bob', action: 'write', document: 'budget' },
    rounds: 300,
  },
  {
    name: `${count} rules, none holds`,
    policy: `package t\n\n${Array.from({ length: count }, (_, i) => `allow if {\n\tinput.path == "/p${i}"\n\tinput.user in data.users[${i}]\n}\n`).join('\n')}`,
    data: { users: Array.from({ length: count }, (_, i) => [`u${i}`]) },
    path: 't/allow',
    input: { path: '/p500', user: 'x' },
    rounds: 30,
  },
  {
    name: `a rule over ${elements} elements`,
    policy:
      'package t\n\nallow if {\n\tsome grant in data.grants\n\tgrant.user == input.user\n\tgrant.role == "admin"\n}\n',
    data: { grants: Array.from({ length: elements }, (_, i) => ({ user: `u${i}`, role: 'x' })) },
    path: 't/allow',
    input: { user: 'u7' },
    rounds: 30,
  },
];

async function measure({
  policy,
  data,
  path,
  input,
  rounds,
}: Workload): Promise<{ readonly decideUs: number; readonly explainUs: number }> {
  const engine = await Engine.open({ policies: { 'p.rego': policy }, data });
  const decisions: number[] = [];
  const explanations: number[] = [];
  // The first third is warm-up.
  for (let i = 0; i < rounds * 1.5; i++) {
    const start = performance.now();
    engine.decide(path, input);
    const middle = performance.now();
    await engine.explain(path, input);
    const end = performance.now();
    if (i < rounds / 2) continue;
    decisions.push((middle - start) * 1000);
    explanations.push((end - middle) * 1000);
  }
  return { decideUs: median(decisions), explainUs: median(explanations) };
}

export async function run(): Promise<void> {
  for (const workload of workloads) {
    const { decideUs, explainUs } = await measure(workload);
    const ratio = (explainUs / decideUs).toFixed(0);
    console.log(
      `${workload.name.padEnd(32)} decide ${decideUs.toFixed(0)} µs, explain ${explainUs.toFixed(0)} µs, ${ratio} times`,
    );
  }
}
