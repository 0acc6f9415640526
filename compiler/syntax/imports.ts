/** Keywords by version, by capabilities and by imports. */

import type { Import } from '../ast/nodes.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import type { RuleContext } from './grammar/heads.js';
import type { ParseOptions } from './parse-options.js';
import { futureKeywords, keywords, type TokenType, versionOneKeywords } from './tokens.js';

export interface Keywords {
  /** Keywords besides those of every module, from the first token on. */
  readonly initial: ReadonlyMap<string, TokenType>;
  /** Importable words. */
  readonly importable: ReadonlyMap<string, TokenType>;
  readonly notBodies: boolean;
  readonly templates: boolean;
  readonly isVersionOne: boolean;
  readonly regoImport: boolean;
}

const allFuture: ReadonlyMap<string, TokenType> = new Map([...versionOneKeywords, ...futureKeywords]);
/** `every x in xs` takes another keyword with it. */
const inOfEvery = [...versionOneKeywords].filter(([word]) => word === 'in');
const featuresOfVersionZero: readonly string[] = ['keywords_in_refs', 'rego_v1'];
const allFeatures: readonly string[] = [...featuresOfVersionZero, 'template_strings'];

/** The keywords that a parse starts with, or the fault of its options. */
export function keywordsOf(options: ParseOptions): Keywords | Diagnostic {
  const { capabilities } = options;
  const isVersionOne = options.regoVersion !== 'v0';
  const features = capabilities ? (capabilities.features ?? []) : isVersionOne ? allFeatures : featuresOfVersionZero;
  const importable = new Map<string, TokenType>();
  if (isVersionOne || features.includes('rego_v1'))
    for (const [word, type] of versionOneKeywords) importable.set(word, type);
  for (const word of capabilities ? (capabilities.future_keywords ?? []) : allFuture.keys()) {
    const type = allFuture.get(word);
    if (!type) return diagnose('illegalCapabilities', undefined, { name: word });
    importable.set(word, type);
  }
  const initial = new Map<string, TokenType>(isVersionOne ? versionOneKeywords : []);
  for (const word of [
    ...(options.allFutureKeywords ? wildcard(importable).keys() : []),
    ...(options.futureKeywords ?? []),
  ]) {
    const type = importable.get(word);
    if (!type) return diagnose('unknownFutureKeyword', undefined, { name: word });
    initial.set(word, type);
    if (word === 'every') for (const [name, inType] of inOfEvery) initial.set(name, inType);
  }
  return {
    initial,
    importable,
    notBodies: initial.has('not'),
    templates: features.includes('template_strings'),
    isVersionOne,
    regoImport: features.includes('rego_v1') || features.includes('rego_v1_import'),
  };
}

/**
 * The words of `import future.keywords`: all but `not`. Policies that have this import were written
 * when a negation had its first meaning, and another meaning could make a decision of theirs allow.
 */
function wildcard(importable: ReadonlyMap<string, TokenType>): ReadonlyMap<string, TokenType> {
  return new Map([...importable].filter(([word]) => word !== 'not'));
}

/** The words that an import makes keywords; complains of unknown imports. */
export function keywordsOfImport(
  statement: Import,
  known: Keywords,
  context: RuleContext,
): ReadonlyMap<string, TokenType> {
  const { path, alias } = statement;
  const words = path.terms.map((term) =>
    term.type === 'var' ? term.name : term.type === 'string' ? term.value : undefined,
  );
  const wrong = path.terms.find((term, i) => i > 0 && term.type !== 'string');
  if (wrong) context.fail('pathNeedsString', wrong.loc, { kind: wrong.type });
  const [root, second, third] = words;
  switch (root) {
    case 'future':
      return futureImport();
    case 'rego':
      return regoImport();
    case 'data':
    case 'input':
      checkLastName();
      return none;
    default:
      return context.fail('importRoot', path.loc, { root: root ?? path.terms[0].type });
  }

  function futureImport(): ReadonlyMap<string, TokenType> {
    if (second !== 'keywords') context.problem('futureImport', path.loc, {});
    else if (alias !== undefined) context.problem('futureImportAlias', path.loc, {});
    else if (third === undefined) return wildcard(known.importable);
    else {
      const type = known.importable.get(third);
      if (!type) context.problem('futureKeyword', path.loc, { known: [...known.importable.keys()].sort().join(' ') });
      else if (third === 'every') return new Map([[third, type], ...inOfEvery]);
      else return new Map([[third, type]]);
    }
    return none;
  }

  function regoImport(): ReadonlyMap<string, TokenType> {
    checkLastName();
    if (!known.regoImport) context.problem('regoImportUnsupported', path.loc, {});
    else if (second !== 'v1' || words.length > 2) context.problem('regoImport', path.loc, { path: words.join('.') });
    else if (known.isVersionOne) return none;
    else if (alias !== undefined) context.problem('regoImportAlias', path.loc, {});
    else return versionOneKeywords;
    return none;
  }

  function checkLastName(): void {
    const [name, last] = [words.at(-1), path.terms.at(-1)];
    if (name === undefined || last === undefined || alias !== undefined) return;
    if (keywords.has(name) || (known.isVersionOne && versionOneKeywords.has(name)))
      context.problem('importEndsWithKeyword', last.loc, { name });
  }
}

const none: ReadonlyMap<string, TokenType> = new Map();
