/** Shared state of evaluations of a policy: rules, the rule index, built-ins. */

import type { Body, Compiled, Node } from '../../compiler/index.js';
import { documentAt, functionName, guardBuiltins, walk } from '../../compiler/index.js';
import { linkedBuiltin } from '../../runtime/index.js';
import { builtins as allBuiltins, type Builtin, withDeclared } from '../../values/index.js';
import { RuleIndex } from './rule-index.js';
import type { CallableBuiltin, SearchProgram } from './search.js';

const requests: ReadonlySet<string> = new Set(['http.send', 'net.lookup_ip_addr']);

type Builtins = ReadonlyMap<string, CallableBuiltin>;

/** Programs of policies without the built-ins that only queries name. */
const known = new WeakMap<Compiled, SearchProgram>();

/** The program for some queries; loads the libraries of the built-ins that may be called. */
export async function programFor(compiled: Compiled, queries: readonly Body[]): Promise<SearchProgram> {
  const program = withQueries(compiled, ofRules(compiled), queries);
  await Promise.all([...program.builtins.values()].map(({ row }) => row.load?.()));
  return program;
}

function ofRules(compiled: Compiled): SearchProgram {
  let program = known.get(compiled);
  if (program === undefined) {
    const rules = [...compiled.modules.values()].flatMap((module) => module.rules.map(({ rule }) => rule));
    known.set(compiled, (program = makeProgram(compiled, builtinsOf(compiled, rules))));
  }
  return program;
}

/** A query that names built-ins of its own gets a program of its own: the rule index knows them. */
function withQueries(compiled: Compiled, program: SearchProgram, queries: readonly Body[]): SearchProgram {
  const named = builtinsOf(compiled, queries.flat());
  const isKnown = [...named.keys()].every((name) => program.builtins.has(name));
  return isKnown ? program : makeProgram(compiled, new Map([...program.builtins, ...named]));
}

function makeProgram(compiled: Compiled, builtins: Builtins): SearchProgram {
  const root = documentAt(compiled.ruleTree, []);
  const index = new RuleIndex(root, new Map([...builtins].map(([name, { row }]) => [name, row] as const)));
  const sendsRequests = [...builtins.keys()].some((name) => requests.has(name));
  return { root, index, types: compiled.types, builtins, targets: new WeakMap(), places: new WeakMap(), sendsRequests };
}

/**
 * The built-ins that nodes name, in calls and as values of `with`, and those that the index calls
 * for an `or`.
 */
function builtinsOf({ options }: Compiled, nodes: readonly Node[]): Builtins {
  const available: ReadonlyMap<string, Builtin> = withDeclared(options.builtins ?? allBuiltins, options.capabilities);
  const found = new Map<string, CallableBuiltin>();
  const add = (name: string | undefined): void => {
    const row = name === undefined || found.has(name) ? undefined : available.get(name);
    if (row !== undefined) found.set(row.name, { row, linked: linkedBuiltin(row) });
  };
  // Most refs are no functions: their names are not put together.
  const heads = new Set([...available.keys()].map((name) => name.split('.', 1)[0]));
  const visit = (node: Node): void => {
    if (node.type === 'var') add(node.name);
    else if (node.type === 'ref') {
      const [head, ...path] = node.terms;
      if (path.length > 0 && head.type === 'var' && heads.has(head.name)) add(functionName(node));
    } else if (node.type === 'expr' && node.kind === 'or') guardBuiltins.forEach(add);
  };
  for (const node of nodes) walk(node, visit);
  return found;
}
