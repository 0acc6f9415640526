/** Partial evaluation: what is left of a query, evaluated with the values of the unknowns. */
import { compareTerms } from '../../../compiler/ast/compare-terms.js';
import { stringTerm } from '../../../compiler/ast/make.js';
import { isLiteral } from '../../../compiler/ast/names.js';
import type { Body, Node, Term } from '../../../compiler/ast/nodes.js';
import { printBody, printTerm } from '../../../compiler/ast/print.js';
import { walk } from '../../../compiler/ast/walk.js';
import { CompileErrors } from '../../../compiler/diagnostics/diagnostics.js';
import { compileModules, compileQuery } from '../../../compiler/pipeline.js';
import type { Compiled } from '../../../compiler/resolve/compiled.js';
import { rulesRead } from '../../../compiler/resolve/tree.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import type { ParseOptions } from '../../../compiler/syntax/parse-options.js';
import { parseQuery, parseTerm } from '../../../compiler/syntax/query.js';
import { knownDocuments } from '../../../engine/policies/known-documents.js';
import { type PartialResult, partialSteps } from '../../../engine/query/partial/partial.js';
import { residualModule, writtenBody } from '../../../engine/query/partial/residual/source.js';
import { symbolicTerm } from '../../../engine/query/partial/symbolic.js';
import { Unknowns } from '../../../engine/query/partial/unknowns.js';
import { programFor } from '../../../engine/query/search-program.js';
import { lookup } from '../../../values/compare.js';
import { RegoSet } from '../../../values/set.js';
import { allAtOnce } from '../../../values/steps.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { isPlannable } from '../../generators/random-policy.js';
import { prepareQueries } from '../../harness/queries.js';
import { type Answer, errorAnswer } from '../answers.js';
import { refText, type Subject } from '../policy-case.js';
import { contextOf, evaluationOf, type Way } from './way.js';

const unknownChoices = [
  ['input'],
  ['input'],
  ['input.a'],
  ['input.b', 'input.n'],
  ['data.d'],
  ['data.d.a', 'input.o'],
  ['input.p[0]'],
  ['input.u'],
  ['input.a[0][1]', 'input.a.a[0]', 'input.b[0].a', 'input.o.a.x'],
  ['data.e', 'input'],
  [],
];

/** Each policy with some unknowns, inlined or with the rules that the residual refers to. */
export const residual: Way = {
  name: 'residual',
  isProgram: false,
  share: 50,
  prepare: async (subject, random) => {
    // Its rules would be taken for those of the support.
    if ([...subject.modules.values()].some((text) => /^package partial\b/m.test(text))) return undefined;
    const unknowns = unknownChoices[random(unknownChoices.length)]!;
    const shallowInlining = random(4) === 0;
    const kept = new Map<string, Promise<Answer>>();
    return (path, input) => {
      // Compiling a residual takes many times as long as the rest.
      if (subject.paths.length > 1 && random(3) > 0) return { skipped: 'residuals are made for some questions only' };
      const key = `${path} ${input}`;
      if (!kept.has(key)) kept.set(key, decideByResidual(subject, path, input, unknowns, shallowInlining));
      return kept.get(key)!;
    };
  },
};

async function decideByResidual(
  subject: Subject,
  path: number,
  inputNumber: number,
  unknowns: readonly string[],
  shallowInlining: boolean,
): Promise<Answer> {
  const { compiled, data } = subject;
  const input = subject.inputs[inputNumber];
  const texts = [...subject.modules.values()];
  const query = compileQuery(compiled, parseQuery(`answer = ${refText(subject.paths[path]!)}`), { unifies: true });
  const program = await programFor(compiled, [query.body]);
  let left: PartialResult;
  try {
    const options = { unknowns: unknowns.map((one) => parseTerm(one)), shallowInlining, known: knownDocuments(compiled) };
    left = allAtOnce(partialSteps(program, query, { input, data }, evaluationOf(contextOf('never')), options));
  } catch (error) {
    return errorAnswer(error);
  }
  const shown = () => showResidual(left, unknowns, shallowInlining);
  const strange = strangeRefs(left, compiled, new Unknowns(unknowns.map((one) => parseTerm(one))), data);
  if (strange.length > 0) return { problem: `the residual names ${strange.join(', ')}\n${shown()}` };
  const extended = extendedBy(left, subject);
  if ('skipped' in extended) return extended;
  if ('problem' in extended) return { problem: `${extended.problem}\n${shown()}` };
  try {
    const queries = left.queries.map((body) => (body.length === 0 ? body : parseQuery(printBody(writtenBody(body)), queryOptions(texts))));
    const found = await solutions(extended.compiled, queries, input, data);
    if ('problem' in found) return { problem: `${found.problem}\n${shown()}` };
    return { ...found, note: shown() };
  } catch (error) {
    return errorAnswer(error);
  }
}

/**
 * Refs that a residual must not have: to rules that its support does not define, and to data that
 * is neither unknown nor of the policies, but in expressions that stay as they are.
 */
function strangeRefs({ queries, support }: PartialResult, { ruleTree }: Compiled, unknowns: Unknowns, data: Value): readonly string[] {
  const defined = support.flatMap(({ package: { path }, rules }) =>
    rules.map(({ head: { ref } }) => [...path, nameOf(ref[0]!), ...ref.slice(1)]),
  );
  const packages = support.map(({ package: { path } }) => path);
  const found = new Set<string>();
  const visit = (node: Node, inClosure: boolean): void => {
    walk(node, (one) => {
      if (one !== node && isLeftWhole(one)) {
        visit(one, true);
        return false;
      }
      if (one.type === 'ref' && isStrange(one.terms, inClosure)) found.add(printTerm(one));
      return true;
    });
  };
  const isStrange = ([head, ...path]: readonly Term[], inClosure: boolean): boolean => {
    if (head?.type !== 'var') return false;
    if (head.name !== 'data') return false;
    const ref = [head, ...path];
    // A closure asks for keys that no rule has, and finds that they are missing.
    if (path[0]?.type === 'string' && path[0].value === 'partial')
      return !(inClosure ? packages : defined).some((rule) => areOnOnePath(rule, ref));
    return !inClosure && !unknowns.includes(ref) && rulesRead(ruleTree, ref).length === 0 && !isInData(data, path);
  };
  for (const one of [...queries.flat(), ...support.flatMap(({ rules }) => rules.flatMap(({ body }) => body))]) visit(one, isLeftWhole(one));
  return [...found];
}

/**
 * Whether a node stays as the author wrote it: a closure, or an expression in which `with` replaces
 * unknowns.
 */
function isLeftWhole(node: Node): boolean {
  if (node.type !== 'expr') return node.type.endsWith('comprehension');
  return node.kind === 'every' || node.kind === 'and' || node.kind === 'or' || node.with.length > 0;
}

/** Whether one path leads to the other, or below it; variables may be any key. */
function areOnOnePath(rule: readonly Term[], ref: readonly Term[]): boolean {
  return rule.every((term, i) => {
    const other = ref[i];
    return other === undefined || !isLiteral(term) || !isLiteral(other) || compareTerms(term, other) === 0;
  });
}

/** The name of a rule as a key of its package. */
function nameOf(term: Term): Term {
  return term.type === 'var' ? stringTerm(term.loc, term.name) : term;
}

function isInData(data: Value, path: readonly Term[]): boolean {
  let value: Value | undefined = data;
  for (const term of path) {
    if (!isLiteral(term) || value === undefined) break;
    value = lookup(value, symbolicTerm(term) as Value);
  }
  return value !== undefined;
}

/** The policies with the rules that a residual refers to. */
function extendedBy(
  { support }: PartialResult,
  { modules: given, regoVersion, isOrdinary }: Subject,
): { readonly compiled: Compiled } | { readonly problem: string } | { readonly skipped: string } {
  try {
    const modules = new Map([...given].map(([name, text]) => [name, parseModule(name, text, { regoVersion })]));
    for (const [i, module] of support.entries()) modules.set(`support ${i}`, parseModule(`support ${i}`, residualModule(module)));
    const compiled = compileModules({ modules, options: { errorLimit: 0 } });
    const bad = compiled.diagnostics.find((one) => !isPlannable([one]));
    if (bad === undefined) return { compiled };
    // As in the reference, such a function has no result for the operands of its calls.
    if (!isOrdinary && bad.code === 'rego_type_error')
      return { skipped: 'a function with an error of types has no result in a support module' };
    return { problem: `the support does not compile: ${bad.message}` };
  } catch (error) {
    if (error instanceof CompileErrors) return { problem: `the support does not compile: ${error.message}` };
    throw error;
  }
}

/** With the keywords of the policies: a residual may have an `or`, and `not` has their meaning. */
function queryOptions(texts: readonly string[]): ParseOptions {
  return { futureKeywords: ['and', 'or', 'not'].filter((word) => texts.some((text) => text.includes(`import future.keywords.${word}\n`))) };
}

/** The value of `answer`. */
async function solutions(
  compiled: Compiled,
  queries: readonly Body[],
  input: Value | undefined,
  data: Value,
): Promise<{ readonly value: Value | undefined } | { readonly problem: string }> {
  const all = new RegoSet();
  for (const body of queries) {
    const query = compileQuery(compiled, body, { unifies: true });
    const bad = query.diagnostics.filter(({ code }) => code !== 'rego_type_error');
    if (bad.length > 0) return { problem: `the residual does not compile: ${bad.map(({ message }) => message).join()}` };
    const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
    for (const solution of executable.run(0, input, data, evaluationOf(contextOf('never'))))
      all.add((solution as PlainObject).answer as Value);
  }
  if (all.size > 1) return { problem: `the residual has ${all.size} answers` };
  return { value: [...all][0] };
}

function showResidual({ queries, support }: PartialResult, unknowns: readonly string[], shallow: boolean): string {
  const modules = support.map((module) => residualModule(module));
  const bodies = queries.map((body) => `residual ${printBody(writtenBody(body))}`);
  return [`unknowns ${unknowns.join()}${shallow ? ', not inlined' : ''}`, ...bodies, ...modules].join('\n');
}
