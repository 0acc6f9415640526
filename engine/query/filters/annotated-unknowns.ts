/** The annotations (`compile:`) of a filter: unknowns, and the rule of its masks. */

import type {
  AnnotationScope,
  Annotations,
  CompileAnnotation,
  Module,
  RefTerm,
  Term,
} from '../../../compiler/index.js';
import { locationOf, printTerm } from '../../../compiler/index.js';
import { FilterError, type FilterProblem } from './filter-error.js';

/** From near to far. */
const scopes: readonly AnnotationScope[] = ['rule', 'document', 'package', 'subpackages'];

/** The unknowns of a rule and of its packages. Throws a FilterError for those that name nothing. */
export function annotatedUnknowns(modules: Iterable<Module>, path: readonly string[]): readonly RefTerm[] {
  const found = annotationsAt(modules, path);
  const problems = found.flatMap(problemsOf);
  if (problems.length > 0) throw new FilterError(problems);
  return found.flatMap(({ compile }) => compile.unknowns);
}

/** The rule of masks that is named nearest to a rule. */
export function annotatedMaskRule(modules: Iterable<Module>, path: readonly string[]): RefTerm | undefined {
  return annotationsAt(modules, path).find(({ compile }) => compile.maskRule !== undefined)?.compile.maskRule;
}

type WithCompile = Annotations & { readonly compile: CompileAnnotation };

/** From near to far. */
function annotationsAt(modules: Iterable<Module>, path: readonly string[]): readonly WithCompile[] {
  const found = [...modules].flatMap((module) =>
    module.annotations.filter((one): one is WithCompile => one.compile !== undefined && concerns(one, module, path)),
  );
  return found.sort((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || b.path.length - a.path.length);
}

function concerns({ scope, path }: Annotations, module: Module, rule: readonly string[]): boolean {
  const isInPackage = begins(module.package.path, rule);
  switch (scope) {
    case 'rule':
    case 'document':
      return isInPackage && path.length === rule.length + 1 && begins(path, rule);
    case 'package':
      return isInPackage;
    case 'subpackages':
      return begins(path, rule);
  }
}

/** Whether a path in `data` begins with the strings of another. */
function begins([, ...start]: readonly Term[], path: readonly string[]): boolean {
  return start.length <= path.length && start.every((term, i) => term.type === 'string' && term.value === path[i]);
}

function problemsOf({ loc, compile }: WithCompile): readonly FilterProblem[] {
  const wrong = compile.unknowns.filter(
    ({ terms: [head] }) => head?.type !== 'var' || (head.name !== 'input' && head.name !== 'data'),
  );
  return wrong.map((ref) => ({
    code: 'invalid_unknown',
    message: `unknowns must be prefixed with \`input\` or \`data\`: ${printTerm(ref)}`,
    location: locationOf(loc),
  }));
}
