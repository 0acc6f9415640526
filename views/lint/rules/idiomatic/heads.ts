/** Heads and values that could be written shorter. */

import { type Annotations, nameOfKey, type Rule } from '../../../../compiler/index.js';
import { between, headRefAt } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isAnyWildcard, isBinary, isChained, isScalar, isVar, lacksKeyword, nameOf, ruleName } from '../tree.js';

export const headRules: readonly LintRule[] = [
  {
    name: 'ambiguous-scope',
    category: 'idiomatic',
    finds: 'One of several rules of a name has metadata: say by its scope whether it is about all',
    visit: ({ file, report }) => ({
      file: () => {
        for (const [name, group] of Map.groupBy(file.module.rules, ruleName)) {
          if (name.startsWith('_')) continue;
          const blocks = group.flatMap((rule) => ownBlock(rule) ?? []);
          const [block] = blocks;
          if (group.some(({ annotations }) => annotations.some(({ scope }) => scope === 'document'))) continue;
          if (group.length > 1 && blocks.length === 1 && block && !saysScope(block)) report(block.loc);
        }
      },
    }),
  },
  {
    name: 'boolean-assignment',
    category: 'idiomatic',
    finds: 'The condition is the value of the rule: write it behind if',
    visit: ({ file, report }) => ({
      rule: ({ head }) => {
        if (head.value?.type !== 'call') return;
        const name = nameOfKey(head.value.operator.terms[0]);
        if (!file.globals.has(name) && file.builtins.get(name)?.result?.type === 'boolean') report(head.loc);
      },
    }),
  },
  {
    name: 'prefer-set-or-object-rule',
    category: 'idiomatic',
    finds: 'A rule with contains, or with a key, reads better than a comprehension',
    visit: ({ report }) => ({
      rule: (rule) => {
        const { value, args } = rule.head;
        const hasBody = !rule.generatedBody && !rule.default;
        if (hasBody || args !== undefined || value === undefined) return;
        if (value.type === 'objectcomprehension' || (value.type === 'setcomprehension' && !isConversion(value)))
          report(rule.head.loc);
      },
    }),
  },
  {
    name: 'use-contains',
    category: 'idiomatic',
    finds: 'Write the members of a set with contains',
    unless: lacksKeyword('contains'),
    visit: ({ file, report }) => ({
      rule: (rule) => {
        const { key, value, hasContains, loc } = rule.head;
        if (isOld(file.module) && key && value === undefined && !hasContains && !isChained(rule)) report(loc);
      },
    }),
  },
  {
    name: 'use-if',
    category: 'idiomatic',
    finds: 'Write if before the body',
    unless: lacksKeyword('if'),
    visit: ({ file, report }) => ({
      rule: (rule) => {
        if (isOld(file.module) && !rule.generatedBody && !rule.default && !rule.head.hasIf && !isChained(rule))
          report(headRefAt(rule));
      },
    }),
  },
  {
    name: 'equals-pattern-matching',
    category: 'idiomatic',
    finds: 'The argument is compared with a constant: write the constant in its place',
    visit: ({ report }) => ({
      rule: (rule) => {
        if (rule.head.args !== undefined && rule.else === undefined && comparesArgument(rule)) report(rule.loc);
      },
    }),
  },
  {
    name: 'custom-has-key-construct',
    category: 'idiomatic',
    finds: 'The function asks for a key: write it with in and object.keys',
    unless: ({ builtins }) => (builtins.has('object.keys') ? undefined : 'the built-in object.keys is not there'),
    visit: ({ report }) => ({
      rule: ({ head, body, generatedBody }) => {
        const [expr] = body;
        if (head.args?.length !== 2 || generatedBody || body.length !== 1 || !expr || !isBinary(expr, 'eq')) return;
        const names = new Set(head.args.flatMap((arg) => (isVar(arg) ? [arg.name] : [])));
        const [left, right] = expr.args;
        const ref = left.type === 'var' && left.name.startsWith('$') ? right : left;
        const other = ref === right ? left : right;
        if (other.type !== 'var' || !other.name.startsWith('$') || ref.type !== 'ref' || ref.terms.length < 2) return;
        if (ref.terms.slice(0, 2).every((term) => isVar(term) && names.has(term.name))) report(argumentsAt(head));
      },
    }),
  },
  {
    name: 'custom-in-construct',
    category: 'idiomatic',
    finds: 'The function looks for an element: write it with in',
    unless: lacksKeyword('in'),
    visit: ({ report }) => ({
      rule: ({ head, body, generatedBody }) => {
        const [expr] = body;
        if (!head.args || generatedBody || body.length !== 1 || !expr || !isBinary(expr, 'eq', 'equal')) return;
        const names = new Set(head.args.flatMap((arg) => (isVar(arg) ? [arg.name] : [])));
        const [left, right] = expr.args;
        const [ref, needle] = left.type === 'ref' ? [left, right] : [right, left];
        if (ref.type !== 'ref' || ref.terms.length < 2 || !isVar(needle) || !names.has(needle.name)) return;
        const [hay, key] = ref.terms;
        if (isVar(hay) && names.has(hay.name) && key?.type === 'var' && key.name.startsWith('$'))
          report(argumentsAt(head));
      },
    }),
  },
];

/** The name and the arguments of a head, with the parenthesis. */
function argumentsAt({ loc, value, generatedValue }: Rule['head']) {
  return value && !generatedValue && value.loc.start > loc.start ? between(loc, loc) : loc;
}

/** Files of version 0, those with `import rego.v1` excepted. */
function isOld({ regoVersion }: { readonly regoVersion: string }): boolean {
  return regoVersion === 'v0';
}

/** The block of scope `rule` or `document` right above a rule. */
function ownBlock(rule: Rule): Annotations | undefined {
  return rule.annotations.find(
    ({ endRow, loc }) => endRow < rule.loc.row && rule.loc.source.text.slice(loc.end, rule.loc.start).trim() === '',
  );
}

function saysScope({ loc, entrypoint }: Annotations): boolean {
  return entrypoint || /^# ?scope:/m.test(loc.text);
}

/** `{x | some x in xs}` and `{x | x := xs[_]}` make a set of an array. */
function isConversion({ term, body }: Extract<Rule['head']['value'], { type: 'setcomprehension' }>): boolean {
  const [expr] = body;
  if (body.length !== 1 || term.type !== 'var') return false;
  if (expr?.kind === 'call') {
    const [left, right] = expr.args;
    const isLoop = right?.type === 'ref' && right.terms[0].type === 'var' && right.terms.some(isAnyWildcard);
    return nameOf(expr) === 'assign' && left?.type === 'var' && left.name === term.name && isLoop;
  }
  const symbol = expr?.kind === 'some' ? expr.symbols[0] : undefined;
  if (symbol?.type !== 'call' || symbol.args.length !== 2) return false;
  const [item] = symbol.args;
  return item?.type === 'var' && item.name === term.name;
}

/** Whether the body, or else the value, only compares an argument with a constant. */
function comparesArgument({ head, body, generatedBody }: Rule): boolean {
  const call = generatedBody ? head.value : body.length === 1 ? body[0] : undefined;
  if (call === undefined || !('operator' in call) || nameOf(call) !== 'equal' || call.args.length !== 2) return false;
  const names = new Set(head.args!.flatMap((arg) => (isVar(arg) ? [arg.name] : [])));
  const [left, right] = call.args;
  const isArgument = (term: typeof left): boolean => isVar(term) && names.has(term.name);
  return (isArgument(left) && isScalar(right!)) || (isArgument(right) && isScalar(left!));
}
