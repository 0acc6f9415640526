/** Constant texts that are no regular expression, or no glob, where a call takes them for one. */

import { globFault, loadRegex, regexFault, type Steps } from '../../../values/index.js';
import type { CallExpr } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { Compiled } from '../../resolve/compiled.js';
import { ConstantTexts } from '../constant-texts.js';
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

/** Loads what judges regular expressions; without it those that are not plain are passed over. */
export async function loadPatterns({ modules }: Compiled): Promise<void> {
  for (const { parsed } of modules.values()) if (/\b(?:regex\.|re_match)/.test(parsed.source.text)) return loadRegex();
}

export function* findInvalidPatterns({ compiled, names, warnings }: WarningSearch): Steps {
  for (const { parsed, rules } of compiled.modules.values()) {
    if (!/\b(?:regex\.|re_match|glob\.)/.test(parsed.source.text)) continue;
    for (const { rule } of rules) {
      const calls: CallExpr[] = [];
      walk(rule, (node) => {
        if (node.type === 'expr' && node.kind === 'call') calls.push(node);
      });
      const called = new Set(calls.map(({ operator }) => builtinName(operator.terms)));
      // The rule asks itself.
      if (called.has('regex.is_valid')) continue;
      const texts = new ConstantTexts(rule, names);
      for (const { operator, args } of calls) {
        const name = builtinName(operator.terms);
        const isGlob = name === 'glob.match';
        const pattern = args[isGlob ? 0 : (regexOperand.get(name ?? '') ?? args.length)];
        if (pattern === undefined) continue;
        for (const { value, loc } of texts.of(pattern)) {
          const fault = isGlob ? globFault(value) : regexFault(value);
          if (fault !== undefined)
            warnings.report(isGlob ? 'invalidGlob' : 'invalidRegex', loc, { pattern: loc.text, fault });
        }
      }
    }
    yield;
  }
}
