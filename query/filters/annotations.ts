/** The annotations (`compile:`) of a filter: unknowns, and the rule of its masks. */

import type { AnnotationScope, Annotations, CompileAnnotation, Module, RefTerm, Term } from '../../compiler/ast/nodes.js';
import { printTerm } from '../../compiler/ast/print.js';
import { locationOf } from '../../compiler/source/location.js';
import { FilterError, type FilterProblem } from './filter-error.js';

interface FilterAnnotations {
  /** Of the rule and of its packages. */
  readonly unknowns: readonly RefTerm[];
  /** Named nearest to the rule. */
  readonly maskRule: RefTerm | undefined;
}

/** From near to far. */
const scopes: readonly AnnotationScope[] = ['rule', 'document', 'package', 'subpackages'];

/** The annotations of the rules at a path. Throws a FilterError for unknowns that name nothing. */
export function annotationsAt(modules: Iterable<Module>, path: readonly string[]): FilterAnnotations {
  const found = [...modules].flatMap((module) => module.annotations.filter((one) => concerns(one, module, path)));
  found.sort((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || b.path.length - a.path.length);
  const compile = found.flatMap((one): CompileAnnotation[] => (one.compile === undefined ? [] : [one.compile]));
  const problems = found.flatMap(problemsOf);
  if (problems.length > 0) throw new FilterError(problems);
  return {
    unknowns: compile.flatMap(({ unknowns }) => unknowns),
    maskRule: compile.find(({ maskRule }) => maskRule !== undefined)?.maskRule,
  };
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

function problemsOf({ loc, compile }: Annotations): readonly FilterProblem[] {
  const wrong =
    compile?.unknowns.filter(({ terms: [head] }) => head?.type !== 'var' || (head.name !== 'input' && head.name !== 'data')) ?? [];
  return wrong.map((ref) => ({
    code: 'invalid_unknown',
    message: `unknowns must be prefixed with \`input\` or \`data\`: ${printTerm(ref)}`,
    location: locationOf(loc),
  }));
}
