/** Constant texts that are no regular expression, or no glob, where a call takes them for one. */

import { globFault, loadRegex, regexFault, type Steps } from '../../../values/index.js';
import type { CallExpr } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { Compiled } from '../../resolve/compiled.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { ConstantTexts } from '../constant-texts.js';
import type { KnownNames } from '../known-names.js';
import type { WarningSearch } from '../warning-search.js';

/** The operand that is a regular expression. */
const regexOperand: ReadonlyMap<string, number> = new Map([
  ['regex.match', 0],
  ['re_match', 0],
  ['regex.split', 0],
  ['regex.find_n', 0],
  ['regex.find_all_string_submatch_n', 0],
  ['regex.replace', 1],
]);

/**
 * Loads the checker of regular expressions; without it those that are not plain are passed over.
 */
export async function loadPatterns({ modules }: Compiled): Promise<void> {
  for (const { parsed } of modules.values()) if (/\b(?:regex\.|re_match)/.test(parsed.source.text)) return loadRegex();
}

export function* findInvalidPatterns({ compiled, names, warnings }: WarningSearch): Steps {
  const asked = new AskedPatterns(compiled, names);
  for (const { parsed, rules } of compiled.modules.values()) {
    if (!/\b(?:regex\.|re_match|glob\.)/.test(parsed.source.text)) continue;
    for (const rule of rules) {
      const calls = callsOf(rule);
      if (calls.length === 0) continue;
      const texts = new ConstantTexts(rule.rule, names);
      for (const { operator, args } of calls) {
        const name = builtinName(operator.terms);
        const isGlob = name === 'glob.match';
        const pattern = args[isGlob ? 0 : (regexOperand.get(name ?? '') ?? args.length)];
        if (pattern === undefined) continue;
        for (const { value, loc } of texts.of(pattern)) {
          const fault = isGlob ? globFault(value) : regexFault(value);
          if (fault !== undefined && (isGlob || !asked.has(rule, value)))
            warnings.report(isGlob ? 'invalidGlob' : 'invalidRegex', loc, { pattern: loc.text, fault });
        }
      }
    }
    yield;
  }
}

function callsOf({ rule }: CompiledRule): readonly CallExpr[] {
  const calls: CallExpr[] = [];
  walk(rule, (node) => {
    if (node.type === 'expr' && node.kind === 'call') calls.push(node);
  });
  return calls;
}

/** The patterns that policies ask about by `regex.is_valid`, before they match by them. */
class AskedPatterns {
  readonly #compiled: Compiled;
  readonly #names: KnownNames;
  /** The rules that ask, and the constants that any of them asks about. */
  #known: { readonly rules: ReadonlySet<CompiledRule>; readonly texts: ReadonlySet<string> } | undefined;

  constructor(compiled: Compiled, names: KnownNames) {
    this.#compiled = compiled;
    this.#names = names;
  }

  /** Whether a rule, or one that it reads, asks about patterns, or any rule about this one. */
  has(rule: CompiledRule, pattern: string): boolean {
    this.#known ??= this.#find();
    const { rules, texts } = this.#known;
    if (rules.size === 0) return false;
    if (texts.has(pattern)) return true;
    // A set yields members that are added during its iteration.
    const read = new Set([rule]);
    for (const each of read) {
      if (rules.has(each)) return true;
      for (const other of this.#compiled.graph.dependencies(each)) read.add(other);
    }
    return false;
  }

  #find(): { readonly rules: ReadonlySet<CompiledRule>; readonly texts: ReadonlySet<string> } {
    const asking = new Set<CompiledRule>();
    const texts = new Set<string>();
    for (const { parsed, rules } of this.#compiled.modules.values()) {
      if (!parsed.source.text.includes('is_valid')) continue;
      for (const rule of rules) {
        for (const { operator, args } of callsOf(rule)) {
          if (builtinName(operator.terms) !== 'regex.is_valid') continue;
          asking.add(rule);
          for (const { value } of new ConstantTexts(rule.rule, this.#names).of(args[0]!)) texts.add(value);
        }
      }
    }
    return { rules: asking, texts };
  }
}
