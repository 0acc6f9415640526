/** Requirements of policies: built-ins, future keywords, and features. */

import type { Module, Node, RefTerm, Rule, Term } from '../../compiler/index.js';
import { BuiltinTable, compileModules, printRef, refTerm, walk } from '../../compiler/index.js';

interface Required {
  /** Names of built-ins. */
  readonly builtins: readonly string[];
  readonly keywords: readonly string[];
  readonly features: readonly string[];
}

export function requiredBy(modules: readonly Module[]): Required {
  return {
    builtins: calledBuiltins(modules),
    keywords: sorted(modules.flatMap(importedKeywords)),
    features: sorted(modules.flatMap(featuresOf)),
  };
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Built-ins whose calls a stage replaces, after it has looked for their declarations. */
const replacedBuiltins: readonly string[] = ['equal', 'rego.metadata.chain', 'rego.metadata.rule'];

/**
 * The built-ins that the policies call, as written and as compiled: `eq` for assignments among
 * them. Errors of the compiler are left to `check`.
 */
function calledBuiltins(modules: readonly Module[]): readonly string[] {
  const options = { allowUndefinedFunctions: true, print: true };
  const compiled = compileModules({ modules: new Map(modules.map((module) => [module.source.file, module])), options });
  const table = new BuiltinTable(undefined);
  const found = new Set<string>();
  const enter = (node: Node): void => {
    for (const operator of functionsIn(node)) {
      const builtin = table.of(operator);
      if (builtin !== undefined) found.add(builtin.name);
    }
  };
  for (const { rules } of compiled.modules.values()) for (const { rule } of rules) walk(rule, enter);
  if (found.has('internal.print')) found.add('print');
  for (const name of replacedBuiltins) if (modules.some(({ rules }) => rules.some(calls(name)))) found.add(name);
  return [...found].sort();
}

/** Whether a rule, as it was written, calls a function. */
function calls(name: string): (rule: Rule) => boolean {
  return (rule) => {
    let found = false;
    walk(rule, (node) => {
      found ||= functionsIn(node).some(({ terms }) => printRef(terms) === name);
      return !found;
    });
    return found;
  };
}

/** The functions that a node calls; of a modifier also those that it replaces, or replaces by. */
function functionsIn(node: Node): readonly RefTerm[] {
  if (node.type === 'with') return [node.target, node.value].flatMap(refOf);
  const isCall = node.type === 'call' || (node.type === 'expr' && node.kind === 'call');
  return isCall ? [node.operator] : [];
}

function refOf(term: Term): readonly RefTerm[] {
  if (term.type === 'ref') return [term];
  return term.type === 'var' ? [refTerm(term.loc, [term])] : [];
}

/** The keywords that a module imports; those of its version need no import. */
function importedKeywords({ regoVersion, imports, rules }: Module): readonly string[] {
  const ofVersion: readonly string[] = regoVersion === 'v1' ? versionOneKeywords : [];
  return imports.flatMap(({ path: { terms } }) => {
    if (nameOf(terms[0]) !== 'future' || nameOf(terms[1]) !== 'keywords') return [];
    const names = terms.length === 2 ? [...versionOneKeywords, ...operatorsOf(rules)] : [nameOf(terms[2])];
    return names.filter((name) => !ofVersion.includes(name));
  });
}

/** The operators `and` and `or` that are used: the import of all keywords brings them. */
function operatorsOf(rules: readonly Rule[]): readonly string[] {
  const found = new Set<string>();
  const enter = (node: Node): void => {
    if (node.type === 'expr' && (node.kind === 'and' || node.kind === 'or')) found.add(node.kind);
  };
  for (const rule of rules) walk(rule, enter);
  return [...found];
}

const versionOneKeywords = ['contains', 'every', 'if', 'in'];

function nameOf(term: Term | undefined): string {
  return term?.type === 'var' ? term.name : term?.type === 'string' ? term.value : '';
}

function featuresOf(module: Module): readonly string[] {
  const { regoVersion, rules } = module;
  const found =
    regoVersion === 'v1'
      ? ['rego_v1']
      : [...(regoVersion === 'v0v1' ? ['rego_v1_import'] : []), ...rules.flatMap(headFeatures)];
  const enter = (node: Node): void => {
    if (node.type === 'templatestring') found.push('template_strings');
    if (node.type === 'ref' && node.terms.slice(1).some(isKeyword)) found.push('keywords_in_refs');
    if (node.type === 'head' && node.ref.slice(1).some(isKeyword)) found.push('keywords_in_refs');
  };
  for (const rule of rules) walk(rule, enter);
  return found;
}

/** A keyword after a dot, as `if` in `data.if`: a canonical ref has it in brackets. */
function isKeyword(term: Term): boolean {
  return isPlain(term) && printRef([term, term]).endsWith(']');
}

/** A string after a dot. */
function isPlain(term: Term): boolean {
  return term.type === 'string' && !/^["`]/.test(term.loc.text);
}

/** Refs in heads: version 0 got them in two steps, with constants first, then with variables. */
function headFeatures({ head: { ref } }: Rule): readonly string[] {
  const inner = ref.slice(1, -1);
  if (inner.some(({ type }) => type !== 'string')) return ['rule_head_refs'];
  const [, second, ...more] = ref;
  return more.length > 0 || (second !== undefined && isPlain(second)) ? ['rule_head_ref_string_prefixes'] : [];
}
