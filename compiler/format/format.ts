/**
 * Modules in the canonical format. The law of it: the result parses to the same tree with the same
 * comments, and formatting it again changes nothing. Both are checked, since comments may stand
 * between any two tokens: rules that the layout would damage stay as they were.
 */

import { isStackOverflow } from '../../values/index.js';
import type { Comment, Import, Module } from '../ast/nodes.js';
import { CompileErrors, type Diagnostic, Diagnostics } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import { locationOf } from '../source/location.js';
import { parseModule } from '../syntax/parse.js';
import type { ParseOptions } from '../syntax/parse-options.js';
import { versionOneKeywords } from '../syntax/tokens.js';
import { checkOperands, checkVersionOneUse } from './checks.js';
import type { FormatOptions } from './format-options.js';
import { type Unit, unitEnd, unitsOf } from './format-units.js';
import { isDropped } from './imports.js';
import { sameComments, sameImport, samePackage, sameRule } from './law.js';
import { writeModule } from './module-writer.js';
import { MisplacedComment } from './sheet.js';

export type { FormatOptions } from './format-options.js';

/** The most rounds until a text stays as it is. */
const maxRounds = 10;

/** A module that could not be formatted without losing something; nothing of it is written. */
export class FormatError extends Error {
  readonly code = 'format_error';
  readonly file: string;

  constructor(file: string, reason: string) {
    super(`${file}: format_error: ${reason}`);
    this.name = 'FormatError';
    this.file = file;
  }
}

/**
 * A module's text, formatted. Throws `CompileErrors` if it is none, and `FormatError` rather than
 * losing a part of it.
 *
 * @example formatText('p.rego', 'package p\nallow if{input.x==1}') // 'package p\n\nallow if
 * input.x == 1\n'
 */
export function formatText(file: string, text: string, parse: ParseOptions = {}, options: FormatOptions = {}): string {
  const module = parseModule(file, text, { ...parse, processAnnotations: false });
  if ((options.to ?? module.regoVersion) !== 'v0') checkVersionOneUse(module);
  checkOperands(module);
  return formatRounds(module, options, parse, true);
}

/** As `formatText`, of a module that may say something else than its text. */
export function formatModule(module: Module, options: FormatOptions = {}, parse: ParseOptions = {}): string {
  return formatRounds(module, options, parse, false);
}

/** As `formatText`, of a module that is its text. */
export function formatParsed(module: Module): string {
  return formatRounds(module, {}, {}, true);
}

function formatRounds(module: Module, options: FormatOptions, parse: ParseOptions, isParsed: boolean): string {
  const seen: string[] = [module.source.text];
  let current = module;
  for (let round = 0; round < maxRounds; round++) {
    current = formatOnce(current, options, parse, isParsed || round > 0);
    const { text } = current.source;
    const at = seen.indexOf(text);
    // A text that comes back stays. Of several that change into each other, which all say the same,
    // one is taken for all.
    if (at >= 0) return seen.slice(at).reduce((least, other) => (other < least ? other : least));
    seen.push(text);
  }
  throw new FormatError(module.source.file, 'the layout changes each time');
}

/**
 * The module, laid out once: freely, else with the rules held that this damages, else with all held
 * that have comments in them.
 */
function formatOnce(module: Module, options: FormatOptions, parse: ParseOptions, isParsed: boolean): Module {
  // The same text in another version may say something else.
  const isSame = isParsed && (options.to ?? module.regoVersion) === module.regoVersion;
  const units = unitsOf(module.rules);
  const read = (text: string): Module => {
    const target = options.to ?? module.regoVersion;
    return parseModule(module.source.file, text, {
      ...parse,
      regoVersion: target === 'v1' ? 'v1' : 'v0',
      processAnnotations: false,
    });
  };
  const isBroken = (unit: Unit): boolean => layOut(aloneWith(module, unit), options, [], read) instanceof Error;
  const isCommented = (unit: Unit): boolean => commentsIn(module, unit).length > 0;
  let result = layOut(module, options, [], read, isSame);
  for (const isHeld of [isBroken, isCommented]) {
    if (!(result instanceof Error)) return result;
    result = layOut(module, options, units.filter(isHeld), read, isSame);
  }
  if (!(result instanceof Error)) return result;
  const isJoined = (unit: Unit, i: number): boolean => i > 0 && isBroken([...units[i - 1]!, ...unit]);
  const broken = units.find(isBroken) ?? units.find(isJoined);
  throw result instanceof CompileErrors ? inInput(module, result, broken) : (keywordBehindRule(broken) ?? result);
}

/** The complaints about a layout at the first rule that has them: nobody sees the layout's rows. */
function inInput({ package: { loc } }: Module, errors: CompileErrors, unit: Unit | undefined): CompileErrors {
  const span = unit?.[0]?.loc ?? loc;
  const [{ code, message }] = errors.diagnostics as [Diagnostic];
  return compileErrors([{ code, message, location: locationOf(span), details: undefined, span }]);
}

/** A rule `if[…]` behind one without a body: version 1 reads both as one. */
function keywordBehindRule(unit: Unit | undefined): CompileErrors | undefined {
  const rule = unit?.[0];
  const name = rule?.head.ref[0];
  if (rule === undefined || name?.type !== 'var' || !versionOneKeywords.has(name.name)) return undefined;
  const diagnostics = new Diagnostics(0);
  diagnostics.report('keywordAsRuleName', rule.loc, { name: name.name });
  return compileErrors(diagnostics.list);
}

/** The module laid out and read again, or why that is not to be. */
function layOut(
  module: Module,
  options: FormatOptions,
  held: readonly Unit[],
  read: (text: string) => Module,
  isParsed = false,
): Module | Error {
  const { file } = module.source;
  try {
    const text = writeModule(module, options, new Set(held.map(([first]) => first)));
    if (isParsed && text === module.source.text) return module;
    const result = read(text);
    return keepsAll(module, result, options)
      ? result
      : new FormatError(file, 'the layout would change its meaning or lose a comment');
  } catch (error) {
    if (error instanceof MisplacedComment)
      return new FormatError(file, 'a comment has no place in the layout, or it nests too deeply');
    if (error instanceof CompileErrors) return error;
    if (isStackOverflow(error)) return new FormatError(file, 'it nests too deeply');
    throw error;
  }
}

/** A module with the rules of one unit only. */
function aloneWith(module: Module, unit: Unit): Module {
  return { ...module, rules: unit, comments: commentsIn(module, unit) };
}

function commentsIn(module: Module, unit: Unit): readonly Comment[] {
  const { start } = unit[0].loc;
  const end = unitEnd(unit);
  return module.comments.filter(({ loc }) => loc.start >= start && loc.end <= end);
}

/** Whether everything of `before` is in `after`. */
function keepsAll(before: Module, after: Module, options: FormatOptions): boolean {
  const isKept = (statement: Import): boolean => !isDropped(statement, before, options);
  return (
    samePackage(before, after) &&
    before.imports.filter(isKept).every((statement) => after.imports.some((other) => sameImport(statement, other))) &&
    before.rules.length === after.rules.length &&
    after.rules.every((rule, i) => before.rules[i] && sameRule(before.rules[i], rule)) &&
    sameComments(before.comments, after.comments)
  );
}
