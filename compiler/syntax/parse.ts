/** Modules from text. */

import { allAtOnce, type Steps, visitSteps } from '../../values/index.js';
import type { Import, Module, Package, RegoVersion, Rule, Term } from '../ast/nodes.js';
import { CompileErrors, type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { renderDiagnostic } from '../diagnostics/render.js';
import { attachAnnotations, readAnnotations } from './annotations.js';
import { maxProblems } from './grammar/failure.js';
import type { Statement } from './grammar/rules.js';
import type { ParseOptions } from './parse-options.js';
import { type Parsed, reject, runModuleSteps, runParser } from './parser-run.js';
import { checkVersionOne } from './version-one.js';

/**
 * A module. Throws `CompileErrors` if it is none.
 *
 * @example parseModule('policy.rego', 'package p\n\nallow if input.admin')
 */
export function parseModule(file: string, text: string, options: ParseOptions = {}): Module {
  return allAtOnce(
    moduleOf(
      runParser(file, text, options, (grammar) => grammar.module()),
      options,
    ),
  );
}

/** As `parseModule`, in steps: a statement is read in one. */
export function* parseModuleSteps(file: string, text: string, options: ParseOptions = {}): Steps<Module> {
  return yield* moduleOf(yield* runModuleSteps(file, text, options), options);
}

/** The rules that are checked in a step. */
const rulesOfStep = 256;

function* moduleOf(parsed: Parsed<Statement[]>, options: ParseOptions): Steps<Module> {
  const { source, result, comments } = parsed;
  const annotated =
    options.processAnnotations === false ? { blocks: [], problems: [] } : yield* readAnnotations(comments, options);
  reject([...parsed.problems, ...annotated.problems], options);
  const strays = [...parsed.ruleProblems];
  // A text before the first usable statement is no package either.
  const isStray = strays.length > 0 && (result.length === 0 || strays[0]!.span!.start < result[0]!.loc.start);
  const first = isStray ? undefined : result[0];
  const rest = isStray ? result : result.slice(1);
  if (first === undefined && !isStray) {
    const at = { ...diagnose('emptyModule', undefined, {}), location: { file: source.file, row: 0, col: 0 } };
    // One that is not counted, as it is about the whole file.
    throw new CompileErrors([at], renderDiagnostic(at));
  }
  yield;
  const start = first?.loc ?? strays.shift()!.span;
  const problems: Diagnostic[] = strays;
  for (const statement of rest) {
    if (statement.type === 'package' && problems.length < maxProblems)
      problems.push(diagnose('unexpectedPackage', statement.loc, {}));
  }
  problems.sort((a, b) => a.span!.start - b.span!.start);
  if (first?.type !== 'package') problems.unshift(diagnose('packageExpected', start, {}));
  const imports = rest.filter((statement) => statement.type === 'import');
  const rules = rest.filter((statement) => statement.type === 'rule');
  const regoVersion = versionOf(imports, options);
  if (regoVersion !== 'v0')
    yield* visitSteps(rules, rulesOfStep, (rule) => {
      if (problems.length < maxProblems) problems.push(...checkVersionOne(rule));
    });
  reject(problems, options);
  const attached = yield* attachAnnotations(first as Package, result, annotated.blocks);
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
  return imports.some(({ path: { terms } }) => terms.length === 2 && isName(terms[0], 'rego') && isName(terms[1], 'v1'))
    ? 'v0v1'
    : 'v0';
}

function isName(term: Term | undefined, name: string): boolean {
  return (term?.type === 'var' && term.name === name) || (term?.type === 'string' && term.value === name);
}
