/** Runs language cases: as plans, on the VM or in generated code, or on the evaluator. */
import type { Body } from '../../compiler/ast/nodes.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { compileOrThrow, compileQuery } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import type { Compiled, CompiledQuery } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { CodegenMode } from '../../runtime/evaluation/engine-context.js';
import { prepareQueries } from '../harness/queries.js';
import type { Case } from './cases.js';
import { caseBuiltins, evaluateCase, runCase } from './evaluate.js';
import { judgeError, judgeResult, type Outcome } from './outcome.js';

type Version = 'v0' | 'v1';

interface CompiledCase {
  readonly compiled: Compiled;
  readonly query: CompiledQuery;
}

/** Compiles the modules and the query of a case. Throws CompileErrors. */
function compileCase(one: Case, version: Version): CompiledCase {
  const options = { regoVersion: version, ...(one.experimental_keywords && { allFutureKeywords: true }) };
  const modules = new Map((one.modules ?? []).map((text, i) => [`test-${i}.rego`, parseModule(`test-${i}.rego`, text, options)] as const));
  const compiled = compileOrThrow({ modules, options: { builtins: caseBuiltins } });
  const body: Body = parseQuery(one.query!, options);
  const query = compileQuery(compiled, body);
  if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics);
  return { compiled, query };
}

/** Plans of cases, by version: several tests of a process decide from the same plan. */
const plans = { v0: new WeakMap<Case, Policy>(), v1: new WeakMap<Case, Policy>() };

/** The plan of a case; its single entrypoint is `eval`. Throws CompileErrors. */
export function planCase(one: Case, version: Version): Policy {
  const known = plans[version].get(one);
  if (known !== undefined) return known;
  const { compiled, query } = compileCase(one, version);
  const policy = plan(compiled, [{ name: 'eval', query }]);
  plans[version].set(one, policy);
  return policy;
}

export async function runRegoCase(one: Case, version: Version, codegen: CodegenMode = 'never'): Promise<Outcome> {
  try {
    const result = await evaluateCase(one, planCase(one, version), 'eval', codegen);
    return judgeResult(one, result, one.want_result);
  } catch (error) {
    return judgeError(one, error);
  }
}

export async function runEvaluatorCase(one: Case, version: Version): Promise<Outcome> {
  try {
    const { compiled, query } = compileCase(one, version);
    const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
    return judgeResult(one, await runCase(one, executable, 'eval'), one.want_result);
  } catch (error) {
    return judgeError(one, error);
  }
}
