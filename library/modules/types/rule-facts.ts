/** Facts of a document in the heads and bodies of rules that its type lacks. */
import type { Body, Compiled, Rule, Term } from '../../../compiler/index.js';
import { type CompiledRule, elseChain, groundPrefix, ruleKind, rulesAtPath } from '../../../compiler/index.js';
import { arrayText, unionText } from './type-text.js';

export interface DocumentFacts {
  /** The type of a document whose values, or members of a set, are all constants. */
  readonly literal: string | undefined;
  /** Whether the document has a value for each input. */
  readonly isDefined: boolean;
  readonly description: string | undefined;
}

/** Unions of more constants say less than their type. */
const mostConstants = 40;

/** The facts of the document at a path below `data`. */
export function factsOf(compiled: Compiled, path: readonly string[]): DocumentFacts {
  const all = rulesAtPath(compiled, path);
  const rules = all.filter(({ ref }) => groundPrefix(ref).length === path.length + 1);
  // A rule with a variable in its head, further up, may make values here as well.
  const isAlone = all.every(({ ref }) => groundPrefix(ref).length > path.length);
  return {
    literal: isAlone ? literalOf(rules, path) : undefined,
    // A package is an object at least.
    isDefined: rules.length === 0 || rules.some((rule) => isAlwaysDefined(rule, path)),
    description: descriptionOf(rules),
  };
}

/**
 * A rule with a default has a value, as one without conditions has, or with such an `else`; sets
 * and objects of rules are empty at least.
 */
function isAlwaysDefined({ rule, ref }: CompiledRule, path: readonly string[]): boolean {
  return rule.default || ruleKind(rule.head) === 'multi' || ref.length > path.length + 1 || hasUnconditional(rule);
}

function hasUnconditional(rule: Rule): boolean {
  for (const { body } of elseChain(rule)) if (isTrue(body)) return true;
  return false;
}

function isTrue(body: Body): boolean {
  const [first, ...others] = body;
  return (
    others.length === 0 &&
    first!.kind === 'term' &&
    !first!.negated &&
    first!.term.type === 'boolean' &&
    first!.term.value
  );
}

function literalOf(rules: readonly CompiledRule[], path: readonly string[]): string | undefined {
  if (rules.length === 0 || rules.some(({ ref }) => ref.length !== path.length + 1)) return undefined;
  const isSet = ruleKind(rules[0]!.rule.head) === 'multi';
  const found = new Set<string>();
  for (const link of rules.flatMap(({ rule }) => [...elseChain(rule)])) {
    const text = literalText(isSet ? link.head.key : link.head.value);
    if (text === undefined) return undefined;
    found.add(text);
  }
  if (found.size > mostConstants) return undefined;
  const all =
    found.has('true') && found.has('false')
      ? ['boolean', ...found].filter((text) => !/^(?:true|false)$/.test(text))
      : [...found];
  return isSet ? arrayText(unionText(all)) : unionText(all);
}

function literalText(term: Term | undefined): string | undefined {
  switch (term?.type) {
    case 'null':
      return 'null';
    case 'boolean':
    case 'string':
      return JSON.stringify(term.value);
    case 'number': {
      // Results have the nearest doubles.
      const value = Number(term.text);
      return Number.isFinite(value) ? String(value) : undefined;
    }
    default:
      return undefined;
  }
}

/** The title and description of the first rule that has one. */
function descriptionOf(rules: readonly { readonly rule: Rule }[]): string | undefined {
  for (const { rule } of rules) {
    for (const { title, description } of rule.annotations) {
      const texts = [title, description].filter((text) => text !== undefined && text !== '');
      if (texts.length > 0) return texts.join('\n\n');
    }
  }
  return undefined;
}
