/** Modules from text. */

import type { Comment, Import, Module, Package, RegoVersion, Rule, Term } from '../ast/nodes.js';
import { CompileErrors, type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { renderDiagnostic } from '../diagnostics/render.js';
import type { Source } from '../source/source.js';
import { attachAnnotations, type Block, readAnnotations } from './annotations.js';
import { maxProblems } from './cursor.js';
import type { Statement } from './grammar.js';
import type { ParseOptions } from './options.js';
import { reject, run } from './run.js';
import { checkVersionOne } from './version-one.js';

/**
 * A module. Throws `CompileErrors` if it is none.
 *
 * @example parseModule('policy.rego', 'package p\n\nallow if input.admin')
 */
export function parseModule(file: string, text: string, options: ParseOptions = {}): Module {
  const { source, result, comments, problems } = run(file, text, options, (grammar) => grammar.module());
  const annotated = options.processAnnotations === false ? { blocks: [], problems: [] } : readAnnotations(comments);
  reject([...problems, ...annotated.problems], options);
  const [first, ...rest] = result;
  if (first === undefined) {
    const at = { code: 'rego_parse_error' as const, message: 'empty module', location: { file, row: 0, col: 0 }, details: undefined };
    // One that is not counted, as it is about the whole file.
    throw new CompileErrors([at], renderDiagnostic(at));
  }
  return moduleOf(source, first, rest, comments, annotated.blocks, options);
}

function moduleOf(
  source: Source,
  first: Statement,
  rest: readonly Statement[],
  comments: readonly Comment[],
  blocks: readonly Block[],
  options: ParseOptions,
): Module {
  const problems: Diagnostic[] = [];
  if (first.type !== 'package') problems.push(diagnose('packageExpected', first.loc, {}));
  for (const statement of rest) {
    if (statement.type === 'package' && problems.length < maxProblems) problems.push(diagnose('unexpectedPackage', statement.loc, {}));
  }
  const imports = rest.filter((statement) => statement.type === 'import');
  const rules = rest.filter((statement) => statement.type === 'rule');
  const regoVersion = versionOf(imports, options);
  if (regoVersion !== 'v0') for (const rule of rules) if (problems.length < maxProblems) problems.push(...checkVersionOne(rule));
  reject(problems, options);
  const attached = attachAnnotations(first as Package, [first, ...rest], blocks);
  reject(attached.problems, options);
  return {
    type: 'module',
    source,
    regoVersion,
    package: first as Package,
    imports,
    rules: attached.rules as Rule[],
    comments,
    annotations: attached.annotations,
  };
}

function versionOf(imports: readonly Import[], options: ParseOptions): RegoVersion {
  if (options.regoVersion !== 'v0') return 'v1';
  return imports.some(({ path: { terms } }) => terms.length === 2 && isName(terms[0]!, 'rego') && isName(terms[1]!, 'v1')) ? 'v0v1' : 'v0';
}

function isName(term: Term, name: string): boolean {
  return (term.type === 'var' && term.name === name) || (term.type === 'string' && term.value === name);
}
