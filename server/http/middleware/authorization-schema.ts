/**
 * Checks the authorization policy against its input, whose form is known, so that a misspelt name
 * shows at the start.
 */

import type { Compiled, CompiledRule, CompileErrors, Diagnostic, Module, Term } from '../../../compiler/index.js';
import { compileErrors, compileModules, dataPathsIn, packageSegments, rulesRead } from '../../../compiler/index.js';
import type { PolicyRecord } from '../../../engine/index.js';
import { areOnOneWay } from '../../../values/index.js';

/** The schema of the input that `authorize` passes. */
const inputSchema = {
  type: 'object',
  properties: {
    identity: { type: 'string' },
    client_certificates: { type: 'array', items: { type: 'object' } },
    method: { type: 'string' },
    path: { type: 'array', items: { type: 'string' } },
    params: { type: 'object' },
    headers: { type: 'object' },
    body: {},
  },
};

/**
 * The errors in the rules that a decision needs, if their input is that of authorizations;
 * undefined without errors. The policies were compiled without errors before.
 * @param decision a path below `data`
 */
export function authorizationFaults(
  policies: readonly PolicyRecord[],
  decision: readonly string[],
): CompileErrors | undefined {
  const modules = modulesBehind(policies, decision);
  if (modules.size === 0) return undefined;
  const options = { schemas: new Map([['schema', inputSchema]]), errorLimit: 10_000 };
  const compiled = compileModules({ modules, options });
  if (compiled.diagnostics.length === 0) return undefined;
  const rules = rulesBehind(compiled, decision);
  const faults = compiled.diagnostics.filter((diagnostic) => rules.some((rule) => isWithin(diagnostic, rule)));
  return faults.length === 0 ? undefined : compileErrors(faults);
}

/** The modules of a path's packages, and all modules that these refer to, directly or not. */
function modulesBehind(policies: readonly PolicyRecord[], decision: readonly string[]): ReadonlyMap<string, Module> {
  const found = new Map<string, Module>();
  const seen = new Set<string>();
  const open: (readonly string[])[] = [decision];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const key = JSON.stringify(path);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const { id, module } of policies) {
      const own = packageSegments(module);
      if (found.has(id) || !areOnOneWay(own, path)) continue;
      found.set(id, module);
      open.push(own, ...dataPathsIn(module));
    }
  }
  return found;
}

function rulesBehind(compiled: Compiled, decision: readonly string[]): readonly CompiledRule[] {
  const { loc } = [...compiled.modules.values()][0]!.parsed.package;
  const terms: Term[] = [
    { type: 'var', loc, name: 'data' },
    ...decision.map((value): Term => ({ type: 'string', loc, value })),
  ];
  const found = new Set<CompiledRule>();
  const open: (readonly Term[])[] = [terms];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    for (const rule of rulesRead(compiled.ruleTree, ref)) {
      if (found.has(rule)) continue;
      found.add(rule);
      for (const read of rule.reads.flat()) open.push(read);
    }
  }
  return [...found];
}

function isWithin({ location }: Diagnostic, { module, rule: { loc } }: CompiledRule): boolean {
  return (
    location !== undefined &&
    location.file === module.parsed.package.loc.file &&
    location.row >= loc.row &&
    location.row <= loc.endPosition.row
  );
}
