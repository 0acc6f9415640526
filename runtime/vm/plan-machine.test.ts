/** States of plans' evaluations: saved, restored, evaluated again. */
import { describe, expect, test } from 'vitest';
import { compileModules, compileOrThrow } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { createContext } from '../../engine/shared-context.js';
import type { Policy } from '../../ir-schema/plan.js';
import { Choices } from '../../test/generators/choices.js';
import { randomCase } from '../../test/generators/random-case.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { HaltError } from '../../values/builtins/builtin-errors.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import { termText } from '../../values/text/term-text.js';
import type { Value } from '../../values/value.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { Evaluation } from '../evaluation/evaluation.js';
import type { MachineState } from './machine-state.js';
import { interpretPlan } from './plan-interpreter.js';
import { PlanMachine } from './plan-machine.js';
import { PlanTables } from './plan-tables.js';

const context = createContext({ host: nodeHost }, {});
const most = 3000;

interface Decision {
  readonly policy: Policy;
  readonly input: Value | undefined;
  readonly data: Value;
}

function evaluation(): Evaluation {
  return new Evaluation(context, { timeNs: 0n, random: () => 0.5 }, new AnswerRecord());
}

function machineFor({ policy, input, data }: Decision): PlanMachine {
  const options = { saves: true };
  const machine = new PlanMachine(new PlanTables(policy, options), builtins, evaluation(), options);
  machine.begin('p', input, data);
  return machine;
}

/** Everything that a state shows. */
function shown(machine: PlanMachine): string {
  const text = (value: Value | undefined) => (value === undefined ? 'undefined' : termText(value));
  const frames = machine.frames.map(({ owner, locals, returned }) => `${owner.name}(${locals.map(text).join()}) ${text(returned)}`);
  const levels = machine.levels.map(({ position, next, holder }) => `${holder?.type}.${next}.${position}`);
  const memo = [...machine.memo].map(([name, value]) => `${name}=${text(value)}`);
  return [...frames, ...levels, ...memo, ...machine.results.map(text), machine.hasFailed].join('\n');
}

function moved(machine: PlanMachine): 'moved' | 'ended' {
  if (machine.isDone) return 'ended';
  try {
    machine.move();
    return 'moved';
  } catch (error) {
    if (error instanceof HaltError) return 'ended';
    throw error;
  }
}

/** The texts of all states; `undefined` for a decision that takes too long. */
function history(decision: Decision): readonly string[] {
  const machine = machineFor(decision);
  const texts = [shown(machine)];
  while (texts.length < most && moved(machine) === 'moved') texts.push(shown(machine));
  return texts;
}

function expectSameAfterRestoring(decision: Decision, seed: number): void {
  const texts = history(decision);
  const choices = new Choices(seed);
  const machine = machineFor(decision);
  const states: MachineState[] = [machine.save()];
  for (let left = 2 * texts.length; left > 0; left--) {
    if (choices.chance(3)) states.push(machine.save());
    if (choices.chance(2)) {
      const state = choices.one(states);
      machine.restore(state);
      expect(machine.moves).toBe(state.moves);
    }
    expect(shown(machine)).toBe(texts[machine.moves]);
    if (moved(machine) === 'ended' || machine.moves + 1 >= texts.length) machine.restore(choices.one(states));
  }
}

function decisionOf(text: string, input: Value | undefined, path: string): Decision {
  const compiled = compileOrThrow({ modules: new Map([['p.rego', parseModule('p.rego', text)]]) });
  return { policy: plan(compiled, [{ name: 'p', path: path.split('/') }]), input, data: {} };
}

describe('a restored state is the state that was saved', () => {
  test.each([
    ['partial sets', 'package p\nq contains [x, y] if { some x in input; some y in input; x < y }', 'p/q'],
    ['partial objects', 'package p\nq[x] := y if { some x, y in input }', 'p/q'],
    ['comprehensions', 'package p\nq := {x: ys | some x in input; ys := [y | some y in input; y < x]}', 'p/q'],
    ['nested collections', 'package p\nq := [[{x}, {"k": [x]}] | some x in input]', 'p/q'],
    [
      'with',
      'package p\nr := [x | some x in input] if not input.x\nelse := [x | some x in input.x]\nq := [r, s, r] if {\n s := [y | some y in r] with input.x as input\n}',
      'p/q',
    ],
    ['functions and else', 'package p\nf(x) := 1 if x > 2\nelse := 2 if x > 1\nq := [f(x) | some x in input]', 'p/q'],
    ['solutions', 'package p\nq[x] contains y if { some x in input; some y in input }', 'p'],
  ])('%s', (_, text, path) => {
    const decision = decisionOf(text, [3, 1, 2, 5, 4], path);
    for (let seed = 0; seed < 5; seed++) expectSameAfterRestoring(decision, seed);
  });

  test('of random policies', () => {
    let count = 0;
    for (let seed = 0; count < randomCases(25); seed++) {
      const found = randomCase(seed);
      if (found === undefined) continue;
      const modules = new Map(
        [...found.modules].map(([name, text]) => [name, parseModule(name, text, { regoVersion: found.regoVersion })]),
      );
      const compiled = compileModules({ modules });
      if (compiled.diagnostics.length > 0) continue;
      count++;
      for (const path of found.paths.slice(0, 2)) {
        const policy = plan(compiled, [{ name: 'p', path }]);
        expectSameAfterRestoring({ policy, input: found.inputs[0], data: found.data }, seed);
      }
    }
  });
});

test('an object whose key gets another value keeps the first one in a state', () => {
  const at = { file: 0, row: 1, col: 1, end_row: 1, end_col: 1 };
  const key = { type: 'string_index', value: 0 } as const;
  const insert = (value: number) => [
    { type: 'MakeNumberIntStmt', stmt: { ...at, target: 3, value } } as const,
    { type: 'ObjectInsertStmt', stmt: { ...at, object: 2, key, value: { type: 'local', value: 3 } } } as const,
  ];
  const stmts = [
    { type: 'MakeObjectStmt', stmt: { ...at, target: 2 } } as const,
    ...[1, 2, 3].flatMap(insert),
    { type: 'ResultSetAddStmt', stmt: { ...at, value: 2 } } as const,
  ];
  const policy: Policy = {
    static: { strings: [{ value: 'k' }], files: [{ value: 'f' }] },
    plans: { plans: [{ name: 'p', blocks: [{ stmts }] }] },
  };
  for (let seed = 0; seed < 20; seed++) expectSameAfterRestoring({ policy, input: 1, data: {} }, seed);
  expect(interpretPlan(policy, { plan: 'p', input: 1, data: {} }, builtins, evaluation())).toHaveLength(1);
});
