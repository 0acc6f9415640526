/**
 * Checks the authorization policy against its input, whose form is known, so that a misspelt name
 * shows at the start.
 */
import type { Compiled, CompiledRule, CompileErrors, Diagnostic, Module, Node, Term } from '../../../compiler/index.js';
import { compileErrors, compileModules, rulesRead, walk } from '../../../compiler/index.js';
import type { PolicyRecord } from '../../../engine/index.js';

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
      const own = constants(module.package.path);
      if (found.has(id) || !isOnTheWay(own, path)) continue;
      found.set(id, module);
      open.push(own, ...pathsNamedIn(module));
    }
  }
  return found;
}

function isOnTheWay(one: readonly string[], other: readonly string[]): boolean {
  return one.every((segment, i) => i >= other.length || segment === other[i]);
}

function pathsNamedIn(module: Module): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (node: Node): boolean => {
    if (node.type === 'ref' && isData(node.terms[0]!)) {
      paths.push(constants(node.terms));
      for (const term of node.terms.slice(1)) walk(term, visit);
      return false;
    }
    if (node.type === 'var' && node.name === 'data') paths.push([]);
    return node.type !== 'package';
  };
  walk(module, visit);
  return paths;
}

function isData(term: Term): boolean {
  return term.type === 'var' && term.name === 'data';
}

/** The constant texts that follow the head of a ref. */
function constants(terms: readonly Term[]): readonly string[] {
  const rest = terms.slice(1);
  const end = rest.findIndex(({ type }) => type !== 'string');
  return (end < 0 ? rest : rest.slice(0, end)).map((term) => (term.type === 'string' ? term.value : ''));
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
