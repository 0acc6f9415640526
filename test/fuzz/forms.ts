/** Forms of the language: in how many policies they are, and in how many they are evaluated. */
import { functionName, isGround } from '../../compiler/ast/names.js';
import type { Expr, Module, RefTerm, Rule, Term } from '../../compiler/ast/nodes.js';
import { printTerm } from '../../compiler/ast/print.js';
import { compileQuery } from '../../compiler/pipeline.js';
import type { Span } from '../../compiler/source/location.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { programFor } from '../../engine/query/search-program.js';
import { Recorder } from '../../engine/query/trace/output/recorder.js';
import { traceQuery } from '../../engine/query/trace/trace.js';
import { sortedEntries } from '../../values/compare.js';
import { numberText } from '../../values/numbers/number.js';
import { allAtOnce } from '../../values/steps.js';
import { isArray, isNumber, isObject, type Value } from '../../values/value.js';
import { parsedModule } from '../generators/repair.js';
import { nodeAt, visitPlaces } from '../generators/tree.js';
import { answerOf } from './answers.js';
import { refText, type Subject } from './policy-case.js';
import { contextOf, evaluationOf } from './ways/way.js';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

/** A node of a policy. */
interface Place {
  readonly node: Node;
  /** From the module to the node that holds it. */
  readonly parents: readonly Node[];
  readonly module: Module;
}

type Holds = (at: Place) => boolean;

const call =
  (...names: readonly string[]): Holds =>
  ({ node }) =>
    names.includes(calledName(node) ?? '');

const expr =
  (...kinds: readonly Expr['kind'][]): Holds =>
  ({ node }) =>
    node.type === 'expr' && kinds.includes((node as unknown as Expr).kind);

const number =
  (form: RegExp): Holds =>
  ({ node }) =>
    node.type === 'number' && form.test(node.text as string);

const text =
  (form: RegExp): Holds =>
  ({ node }) =>
    node.type === 'string' && form.test(node.value as string);

/** A rule with a head, or an `else` of one. */
const rule =
  (holds: (rule: Rule, module: Module) => boolean): Holds =>
  ({ node, module }) =>
    node.type === 'rule' && holds(node as unknown as Rule, module);

const target =
  (holds: (target: RefTerm, value: Term) => boolean): Holds =>
  ({ node }) => {
    if (node.type !== 'with') return false;
    const { target: given, value } = node as unknown as { target: Term; value: Term };
    return holds(given.type === 'ref' ? given : { type: 'ref', loc: given.loc, terms: [given] }, value);
  };

const ref =
  (holds: (head: string, keys: readonly Term[]) => boolean): Holds =>
  ({ node, parents }) => {
    if (node.type !== 'ref' || parents.at(-1)?.operator === node) return false;
    const [head, ...keys] = (node as unknown as RefTerm).terms;
    return head?.type === 'var' && holds(head.name, keys);
  };

const isFunction = ({ head }: Rule) => head.args !== undefined;
const isSet = ({ head }: Rule) => head.key !== undefined && head.value === undefined;
const isPartialObject = ({ head }: Rule) => head.args === undefined && head.key !== undefined && head.value !== undefined;
const isCollection = ({ type }: Term) => type === 'array' || type === 'object' || type === 'set';
const namesBuiltin = ({ terms }: RefTerm) => terms[0]?.type === 'var' && !['input', 'data'].includes(terms[0].name);
const isNumberKey = ({ type }: Term) => type === 'number';

/** What a policy can have. A form is reached where its expression, or its rule, is evaluated. */
const forms: readonly (readonly [name: string, holds: Holds])[] = [
  ['several rules of a set', rule((one, module) => isSet(one) && relatives(one, module) > 1)],
  ['several rules of an object', rule((one, module) => isPartialObject(one) && relatives(one, module) > 1)],
  ['several rules of a function', rule((one, module) => isFunction(one) && relatives(one, module) > 1)],
  ['a member or key that is a collection', rule(({ head }) => head.key !== undefined && isCollection(head.key))],
  ['a look-up with a partly known key', ref((_, keys) => keys.some((key) => isCollection(key) && !isGround(key)))],
  ['a comprehension', ({ node }) => isComprehension(node)],
  ['a comprehension whose shape another rule has', ({ node, module }) => isComprehension(node) && isRepeated(node, module)],
  [
    'a set operation on a comprehension',
    ({ node }) => ['minus', 'and', 'or'].includes(calledName(node) ?? '') && argsOf(node).some(isComprehension),
  ],
  ['a comprehension inside of another', ({ node, parents }) => isComprehension(node) && parents.some(isComprehension)],
  ['a default', rule((one) => one.default && !isFunction(one))],
  ['a default of a function', rule((one) => one.default && isFunction(one))],
  ['a function with a pattern', rule(({ head }) => head.args?.some(isCollection) === true)],
  ['a function with a constant', rule(({ head }) => head.args?.some(({ type }) => type === 'string' || type === 'number') === true)],
  ['a function with a ref for a name', rule((one) => isFunction(one) && one.head.ref.length > 1)],
  [
    'an else of a document',
    ({ node, parents }) => node.type === 'rule' && parents.at(-1)?.else === node && !isFunction(node as unknown as Rule),
  ],
  [
    'an else of a function',
    ({ node, parents }) => node.type === 'rule' && parents.at(-1)?.else === node && isFunction(node as unknown as Rule),
  ],
  ['a head with a variable for a key', rule(({ head }) => head.ref.some(({ type }, i) => i > 0 && type === 'var'))],
  [
    'a head with a number, boolean or null',
    rule(({ head }) => head.ref.some(({ type }) => type === 'number' || type === 'boolean' || type === 'null')),
  ],
  ['a head with a collection for a key', rule(({ head }) => head.ref.some(isCollection))],
  [
    'a head with a whole number in another form',
    rule(({ head }) => head.ref.some((term) => term.type === 'number' && !/^-?\d+$/.test(term.text))),
  ],
  ['a head with a text that is no name', rule(({ head }) => head.ref.some((term) => term.type === 'string' && !/^\w+$/.test(term.value)))],
  ['a head of three parts', rule(({ head }) => head.ref.length > 2)],
  ['a set below a key', rule((one) => isSet(one) && one.head.ref.length > 1)],
  ['every', expr('every')],
  ['some in', call('internal.member_2', 'internal.member_3')],
  ['some', expr('some')],
  ['not of version 0', ({ node }) => node.type === 'expr' && node.negated === true],
  [
    'not of version 0 over a call',
    ({ node }) => node.type === 'expr' && node.negated === true && argsOf(node).some((arg) => arg.type === 'call'),
  ],
  ['not of future.keywords', expr('not')],
  ['not over a body', ({ node }) => node.type === 'expr' && node.kind === 'not' && node.explicit === true],
  ['and, or', expr('and', 'or')],
  ['an aggregate', call('count', 'sum', 'product', 'max', 'min', 'sort')],
  ['walk', call('walk')],
  ['a template string', ({ node }) => node.type === 'templatestring'],
  ['with on input', target(({ terms }) => printTerm(terms[0]!) === 'input' && terms.length === 1)],
  ['with on a path of input', target(({ terms }) => printTerm(terms[0]!) === 'input' && terms.length > 1)],
  ['with on a path with a number', target(({ terms }) => terms.some(isNumberKey))],
  ['with on data', target(({ terms }) => /^data\.(?:d|new)\b/.test(printTerm({ ...terms[0]!, type: 'ref', terms })))],
  ['with on a rule', target(({ terms }) => /^data\.(?:[ate]|a\.[bc])\.[pqr]\d/.test(printTerm({ ...terms[0]!, type: 'ref', terms })))],
  ['with on a built-in', target(namesBuiltin)],
  ['with on a function', target(({ terms }, value) => terms.length > 2 && value.type === 'ref' && printTerm(terms[0]!) === 'data')],
  ['a number with an exponent', number(/e/i)],
  ['a number with zeros behind the point', number(/\.\d*0$/)],
  ['a zero with a sign', number(/^-0/)],
  ['a number that no double is', number(/^-?\d{17,}$|e[34]\d\d/i)],
  ['a text beyond the first plane', text(/[\u{10000}-\u{10ffff}]/u)],
  ['a text of a lone surrogate', text(/\ufffd/)],
  [
    'a base document by a key known at run time',
    ref(
      (head, keys) =>
        head === 'data' &&
        keys[0]?.type === 'string' &&
        keys[0].value === 'd' &&
        keys.slice(1).some(({ type }) => type === 'ref' || type === 'var'),
    ),
  ],
  [
    'a base document by a number',
    ref((head, keys) => head === 'data' && keys[0]?.type === 'string' && keys[0].value === 'd' && keys.some(isNumberKey)),
  ],
  ['a ref into a variable', ref((head, keys) => head !== 'data' && head !== 'input' && keys.length > 0)],
  ['null that is compared or bound', ({ node }) => node.type === 'expr' && argsOf(node).some(({ type }) => type === 'null')],
  ['json.patch', call('json.patch')],
  ['sprintf', call('sprintf')],
  ['a YAML built-in', call('yaml.marshal', 'yaml.unmarshal')],
  [
    'a variable of an outer body declared again',
    ({ node, parents }) => node.type === 'expr' && calledName(node) === 'assign' && parents.some(isComprehension),
  ],
  ['import future.keywords', ({ node }) => node.type === 'import' && printTerm(node.path as Term) === 'future.keywords'],
  ['a module of version 0', ({ node }) => node.type === 'module' && node.regoVersion !== 'v1'],
];

/** What documents can have. */
const documentForms: readonly (readonly [name: string, holds: (value: Value, depth: number) => boolean])[] = [
  ['null in documents', (value, depth) => depth > 0 && value === null],
  [
    'keys that look like numbers in documents',
    (value) => isObject(value) && [...sortedEntries(value)].some(([key]) => /^-?\d/.test(String(key))),
  ],
  [
    'numbers that no double is in documents',
    (value) => isNumber(value) && !Number.isSafeInteger(Number(numberText(value))) && /^\d{16,}|e[34]\d\d/.test(numberText(value)),
  ],
  ['numbers written otherwise in documents', (value) => isNumber(value) && numberText(value) !== String(Number(numberText(value)))],
  ['an input that is no object', (value, depth) => depth === 0 && !isObject(value)],
];

export class FormCounts {
  readonly #made = new Map<string, number>();
  readonly #reached = new Map<string, number>();
  #policies = 0;

  /** Counts each form once a policy. */
  async add(subject: Subject): Promise<void> {
    this.#policies++;
    const evaluated = await evaluatedIn(subject);
    const [made, reached] = [new Set<string>(), new Set<string>()];
    for (const [name, source] of subject.modules) {
      const module = parsedModule(name, source, subject.regoVersion)!;
      visitPlaces(module, (node, place) => {
        const parents = place.map((_, i) => nodeAt(module, place.slice(0, i)) as Node).filter((parent) => !Array.isArray(parent));
        for (const [form, holds] of forms) {
          if (!holds({ node: node as Node, parents, module })) continue;
          made.add(form);
          if (isEvaluated([...parents, node as Node], evaluated)) reached.add(form);
        }
      });
    }
    for (const document of [subject.data, ...subject.inputs]) if (document !== undefined) addDocument(document, 0, made);
    for (const form of made) this.#made.set(form, (this.#made.get(form) ?? 0) + 1);
    for (const form of reached) this.#reached.set(form, (this.#reached.get(form) ?? 0) + 1);
  }

  /** A line for each form, with policies of a thousand. */
  text(): string {
    const share = (counts: ReadonlyMap<string, number>, form: string) =>
      String(Math.round((1000 * (counts.get(form) ?? 0)) / this.#policies)).padStart(5);
    const rows = forms.map(([form]) => `${share(this.#made, form)} ${share(this.#reached, form)} ${form}`);
    const documents = documentForms.map(([form]) => `${share(this.#made, form)}       ${form}`);
    return ['of 1,000 policies: have the form, evaluate it', ...rows, ...documents].join('\n');
  }
}

function addDocument(value: Value, depth: number, made: Set<string>): void {
  for (const [form, holds] of documentForms) if (holds(value, depth)) made.add(form);
  if (isArray(value)) for (const inner of value) addDocument(inner, depth + 1, made);
  else if (isObject(value)) for (const [, inner] of sortedEntries(value)) addDocument(inner, depth + 1, made);
}

/** Where the expressions and rules begin that some question comes to. */
async function evaluatedIn({ compiled, paths, data, inputs }: Subject): Promise<ReadonlySet<string>> {
  const evaluated = new Set<string>();
  const queries = paths.map((path) => compileQuery(compiled, parseQuery(`traced = ${refText(path)}`)));
  const program = await programFor(
    compiled,
    queries.map(({ body }) => body),
  );
  const context = contextOf('never');
  for (const { body } of queries) {
    for (const input of inputs) {
      const recorder = new Recorder('full', false);
      try {
        answerOf(() => void [...allAtOnce(traceQuery(program, body, { input, data }, evaluationOf(context), recorder))]);
      } catch {
        // A trace that is too long has told enough.
      }
      for (const { at } of recorder.events) evaluated.add(placeOf(at));
    }
  }
  return evaluated;
}

function placeOf({ file, start }: Span): string {
  return `${file}:${start}`;
}

/** By the innermost expression or rule; imports and modules count as evaluated. */
function isEvaluated(path: readonly Node[], evaluated: ReadonlySet<string>): boolean {
  const holder = path.findLast(({ type }) => type === 'expr' || type === 'rule');
  if (holder === undefined) return true;
  if (evaluated.has(placeOf(holder.loc as Span))) return true;
  // A rule without a body of its own, and a default, have no events but those of their heads.
  return holder.type === 'rule' && evaluated.has(placeOf((holder as unknown as Rule).head.loc));
}

function calledName(node: Node): string | undefined {
  return node.operator === undefined ? undefined : functionName(node.operator as RefTerm);
}

function argsOf(node: Node): readonly Node[] {
  return (node.args ?? []) as readonly Node[];
}

/** Entries of objects have no type. */
function isComprehension({ type }: { readonly type?: string }): boolean {
  return type?.endsWith('comprehension') === true;
}

/** How many rules of a module have the name of a rule. */
function relatives({ head }: Rule, { rules }: Module): number {
  const name = printTerm(head.ref[0]!);
  return rules.filter((other) => printTerm(other.head.ref[0]!) === name && !other.default).length;
}

const shapes = new WeakMap<Module, Map<string, Set<unknown>>>();

/** Whether another rule, or link of an `else`, has a comprehension with other names in it. */
function isRepeated(node: Node, module: Module): boolean {
  let known = shapes.get(module);
  if (known === undefined) {
    shapes.set(module, (known = new Map()));
    visitPlaces(module, (inner, place) => {
      if (!isComprehension(inner as Node)) return;
      const owner = place.map((_, i) => nodeAt(module, place.slice(0, i)) as Node).findLast(({ type }) => type === 'rule');
      const shape = shapeOf(inner as Node);
      known!.set(shape, (known!.get(shape) ?? new Set()).add(owner));
    });
  }
  return known.get(shapeOf(node))!.size > 1;
}

function shapeOf(node: Node): string {
  return printTerm(node as unknown as Term).replaceAll(/"[^"]*"|\w+/g, '_');
}
