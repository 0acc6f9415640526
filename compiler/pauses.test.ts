import { describe, expect, test } from 'vitest';
import type { Steps } from '../values/steps.js';
import { compileModules, compileQuerySteps, compileSteps } from './pipeline.js';
import { queryStages } from './query-stages.js';
import { recompileSteps } from './recompile.js';
import type { Compiled } from './resolve/compiled.js';
import { parseModule } from './syntax/parse.js';
import { parseQuery, parseQuerySteps } from './syntax/query.js';

const ruleCount = 4096;

/** More than enough for one pause in 256 rules. */
const fewPauses = ruleCount / 300;

const text = Array.from({ length: ruleCount }, (_, i) => `r${i} := ${i}`).join('\n');
const long = parseModule('long.rego', `package long\n\n${text}\n`);
const short = parseModule('short.rego', 'package short\n\nx := 1\ny := 2\n');

/** The number of steps of each stage, by its timer. */
function stepsByStage(start: (onTimer: (timer: string) => void) => Steps<Compiled>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let count = 0;
  const steps = start((timer) => {
    counts.set(/stage_(\w+)_ns/.exec(timer)?.[1] ?? timer, count);
    count = 0;
  });
  while (steps.next().done !== true) count++;
  return counts;
}

/** Stages whose work grows with the number of rules, for any text of these. */
const stages = [
  'resolve_refs',
  'set_module_tree',
  'set_rule_tree',
  'rewrite_local_vars',
  'set_graph',
  'check_rule_conflicts',
  'check_types',
];

describe('a stage pauses while it processes a module of many rules', () => {
  test.each(stages)('%s', (stage) => {
    const base = compileModules({ modules: new Map([['short.rego', short]]) });
    const all = stepsByStage((onTimer) => compileSteps({ modules: new Map([['long.rego', long]]), options: { onTimer } }));
    const added = stepsByStage((onTimer) => recompileSteps(base, new Map([['long.rego', long]]), { ...base.options, onTimer }));
    expect(all.get(stage)).toBeGreaterThan(fewPauses);
    expect(added.get(stage)).toBeGreaterThan(fewPauses);
  });

  test.each(['set_rule_tree', 'check_types'])('%s, when the module is removed', (stage) => {
    const modules = new Map([
      ['long.rego', long],
      ['short.rego', short],
    ]);
    const base = compileModules({ modules });
    const removed = stepsByStage((onTimer) => recompileSteps(base, new Map([['long.rego', undefined]]), { ...base.options, onTimer }));
    expect(removed.get(stage)).toBeGreaterThan(fewPauses);
  });
});

describe('a query', () => {
  const query = Array.from({ length: ruleCount }, (_, i) => `input.x${i} == ${i}`).join('; ');

  test('that is long pauses while its tokens are read', () => {
    expect([...parseQuerySteps(query)].length).toBeGreaterThan(fewPauses / 4);
  });

  test('pauses between stages', () => {
    const base = compileModules({ modules: new Map() });
    expect([...compileQuerySteps(base, parseQuery(query))].length).toBeGreaterThanOrEqual(queryStages.length);
  });
});
