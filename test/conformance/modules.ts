/** Runs plan cases in JavaScript modules, as `build -t js` writes them. */

import { loadPlan } from '../../ir-schema/validate.js';
import { refusedCalls } from '../../library/modules/refused-builtins.js';
import { readModuleUnits } from '../../library/modules/units-file.js';
import { assemble } from '../../runtime/bytecode/assemble.js';
import type { ModulePolicy } from '../../runtime/codegen/module/module-policy.js';
import { moduleText } from '../../runtime/codegen/module/module-text.js';
import type { ModuleUnits } from '../../runtime/codegen/module/module-units.js';
import { builtins } from '../../values/builtins/registry.js';
import { equal } from '../../values/equal.js';
import { parseJson } from '../../values/json/json.js';
import { toPlain } from '../../values/json/plain-form.js';
import type { Value } from '../../values/value.js';
import type { Case } from './cases.js';
import { judgeError, judgeResult, type Outcome } from './outcome.js';
import { valueOfText } from './terms.js';

let units: ModuleUnits | undefined;

export function runModuleCase(one: Case): Outcome {
  const policy = loadPlan(one.plan);
  units ??= readModuleUnits();
  if (refusedCalls(policy).length > 0) return { skipped: 'cases with built-ins that cannot go into a module' };
  const [name] = one.entrypoints!;
  // The module has classes of its own for sets and exact numbers.
  const input = one.input_term !== undefined ? valueOfText(one.input_term) : one.input;
  if (!isPlain(input)) return { skipped: 'cases whose input is no plain JSON' };
  const text = moduleText({
    program: assemble(policy),
    builtins,
    units,
    entrypoints: [{ name: name!, path: [name!] }],
    data: one.data ?? {},
    revision: undefined,
    format: 'commonjs',
    runtime: one.env === undefined ? {} : { env: one.env },
    title: 'a case',
  });
  try {
    const loaded = loadModule(text).policy;
    const results = loaded.resultSet(name!, input === undefined ? undefined : toPlain(input), {
      strictBuiltinErrors: one.strict_error === true,
      timeMs: 20_000,
    });
    return judgeResult(one, parseJson(JSON.stringify(results)) as readonly Value[], wanted(one));
  } catch (error) {
    return judgeError(one, error);
  }
}

function loadModule(text: string): { readonly policy: ModulePolicy } {
  const exported = {};
  new Function('exports', text)(exported);
  return exported as { readonly policy: ModulePolicy };
}

/** Modules answer with doubles. */
function wanted({ want_plan_result: want }: Case): readonly Value[] | null | undefined {
  return want && (toPlain(want) as readonly Value[]);
}

function isPlain(input: Value | undefined): boolean {
  return input === undefined || equal(input, toPlain(input));
}
