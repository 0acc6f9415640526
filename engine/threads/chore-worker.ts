/** The thread's side of chores. */
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { diagnosticToJson } from '../../compiler/diagnostics/render.js';
import { compileModules } from '../../compiler/pipeline.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { assemble } from '../../runtime/bytecode/assemble.js';
import { packProgram } from '../../runtime/bytecode/pack.js';
import { plainText } from '../../runtime/values/json/exact-json.js';
import { allAtOnce } from '../../runtime/values/steps.js';
import { decodeUtf8 } from '../../runtime/values/text/utf8.js';
import { parseYaml } from '../../runtime/values/yaml/yaml.js';
import { Metrics } from '../evaluation/metrics.js';
import { compileQueryPlan } from '../policies/compile-query.js';
import type { Chore, ChoreReport, CompiledQueryReport, QueryChore } from './chores.js';

export function doChore(chore: Chore): ChoreReport {
  if (chore.kind === 'query') return { query: compiledQuery(chore) };
  try {
    const text = decodeUtf8(chore.bytes);
    return { yaml: /\S/.test(text) ? new TextEncoder().encode(plainText(parseYaml(text))) : undefined };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The policies that were compiled last: many queries come between two changes of policies. */
let last: { readonly policies: number; readonly compiled: Compiled } | undefined;

function compiledFor({ policies, modules, options }: QueryChore): Compiled {
  if (last?.policies === policies) return last.compiled;
  const parsed = new Map(modules.map(({ name, file, text, language }) => [name, parseModule(file, text, { regoVersion: language })]));
  const compiled = compileModules({ modules: parsed, options: { ...options, builtins } });
  last = { policies, compiled };
  return compiled;
}

function compiledQuery(chore: QueryChore): CompiledQueryReport {
  const metrics = new Metrics();
  const timers = () => Object.entries(metrics.toJson()) as [string, number][];
  try {
    const plan = allAtOnce(compileQueryPlan(compiledFor(chore), chore.text, { ...chore, metrics }));
    return { timers: timers(), program: packProgram(assemble(plan)) };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return {
      timers: timers(),
      diagnostics: JSON.stringify(error.diagnostics.map((each) => ({ ...diagnosticToJson(each), name: each.name }))),
    };
  }
}
