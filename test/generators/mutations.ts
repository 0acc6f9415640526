/** Small changes of policies, which may compile still. */
import { numberTerm, refTerm, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Module } from '../../compiler/ast/nodes.js';
import { nowhere } from '../../compiler/source/location.js';
import { parseTerm } from '../../compiler/syntax/query.js';
import type { Choices } from './choices.js';
import { nodeAt, type Place, removedAt, replacedAt, visitPlaces } from './tree.js';
import { constants, documents, targets } from './vocabulary.js';

type Node = Readonly<Record<string, unknown>>;

const comparisons = ['equal', 'neq', 'lt', 'lte', 'gt', 'gte', 'eq'];
const arithmetic = ['plus', 'minus', 'mul', 'div', 'rem'];
const sets = ['or', 'and', 'minus'];

/** A module with one to three changes. */
export function mutated(module: Module, choices: Choices): Module {
  let changed = module;
  for (let count = 1 + choices.below(3); count > 0; count--) changed = changedOnce(changed, choices);
  return changed;
}

function changedOnce(module: Module, choices: Choices): Module {
  const places: { readonly place: Place; readonly node: Node }[] = [];
  visitPlaces(module.rules, (node, place) => places.push({ place: ['rules', ...place], node }));
  const fitting = (test: (node: Node, place: Place) => boolean) => places.filter(({ node, place }) => test(node, place));
  const pick = choices.below(9);
  const found = fitting((node, place) => kinds[pick]!(node, place));
  if (found.length === 0) return module;
  const { place, node } = choices.one(found);
  return changes[pick]!(module, place, node, choices);
}

const isStatement = ({ type }: Node, place: Place) => type === 'expr' && typeof place.at(-1) === 'number';
const isConstant = ({ type }: Node) => type === 'number' || type === 'string' || type === 'boolean' || type === 'null';
const isOperator = (node: Node) => node.type === 'ref' && nameOf(node) !== undefined;
const isRule = ({ type }: Node, place: Place) => type === 'rule' && place.length === 2;

/** The nodes that each of the changes is about. */
const kinds: readonly ((node: Node, place: Place) => boolean)[] = [
  (node, place) => isOperator(node) && place.at(-1) === 'operator',
  (node, place) => isConstant(node) && !place.includes('operator') && !(place.includes('ref') && place.at(-1) === 0),
  isStatement,
  isStatement,
  (node, place) => isStatement(node, place) && (node.kind === 'term' || node.kind === 'call'),
  isRule,
  isRule,
  isStatement,
  ({ type }, place) => type === 'var' && place.includes('body'),
];

const changes: readonly ((module: Module, place: Place, node: Node, choices: Choices) => Module)[] = [
  // Another operator of the same kind.
  (module, place, node, choices) => {
    const name = nameOf(node)!;
    const family = [comparisons, arithmetic, sets].find((one) => one.includes(name));
    if (family === undefined) return module;
    return replacedAt(module, place, refTerm(nowhere, [varTerm(nowhere, choices.one(family))]));
  },
  // Another constant.
  (module, place, node, choices) => {
    const { type } = node;
    if (place.at(-2) === 'terms' && type === 'string')
      return replacedAt(module, place, stringTerm(nowhere, choices.one(['a', 'b', 'k', 'x', 'foo'])));
    if (type === 'number' && choices.chance(60))
      return replacedAt(module, place, numberTerm(nowhere, choices.one(['0', '1', '2', '1.0', '-1', '1e2'])));
    return replacedAt(module, place, parseTerm(choices.one(constants)));
  },
  // A statement less.
  (module, place) => ((nodeAt(module, place.slice(0, -1)) as readonly unknown[]).length > 1 ? removedAt(module, place) : module),
  // Two statements in the other order.
  (module, place) => {
    const list = nodeAt(module, place.slice(0, -1)) as readonly unknown[];
    const at = place.at(-1) as number;
    if (at + 1 >= list.length) return module;
    return replacedAt(module, place.slice(0, -1), list.with(at, list[at + 1]).with(at + 1, list[at]));
  },
  // A negation more or less.
  (module, place, node) => replacedAt(module, place, { ...node, negated: node.negated !== true }),
  // A rule twice: the second is changed later, or has an `else` more.
  (module, place, node) => ({ ...module, rules: module.rules.toSpliced(place[1] as number, 0, node as never) }),
  (module, place, node, choices) => {
    const rule = module.rules[place[1] as number]!;
    const other = choices.one(module.rules);
    const { head } = rule;
    if (node.default === true || rule.else !== undefined || head.value === undefined || head.key !== undefined) return module;
    const value = parseTerm(choices.one(constants));
    return replacedAt(module, [...place, 'else'], {
      ...rule,
      head: { ...head, value, assign: true, generatedValue: false },
      body: other.body,
      else: undefined,
    });
  },
  // A document replaced.
  (module, place, node, choices) => {
    const value = parseTerm(choices.chance(50) ? choices.one(constants) : choices.one(documents.filter((text) => !text.startsWith('in_'))));
    const modifier = { type: 'with', loc: nowhere, target: parseTerm(choices.one(targets)), value };
    return replacedAt(module, place, { ...node, with: [...(node.with as readonly unknown[]), modifier] });
  },
  // Another variable of the module.
  (module, place, node, choices) => {
    const names = new Set<string>();
    visitPlaces(module.rules, (one) => one.type === 'var' && names.add(one.name as string));
    return replacedAt(module, place, { ...node, name: choices.one([...names]) });
  },
];

/** The name of a built-in that is an operator. */
function nameOf(node: Node): string | undefined {
  const [first, ...rest] = (node.terms ?? []) as readonly { readonly type: string; readonly name?: string }[];
  return first?.type === 'var' && rest.length === 0 ? first.name : undefined;
}
