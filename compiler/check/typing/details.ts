/** The details of a type error: as JSON, and as lines below the message. */

import { toJson, type Value } from '../../../values/index.js';
import { type AstJson, termToJson } from '../../ast/ast-json.js';
import { refPrefix } from '../../ast/make.js';
import type { Ref, Term, VarTerm } from '../../ast/nodes.js';
import { isRoot, leadingKeys } from '../../ast/paths.js';
import { printRef, printTerm } from '../../ast/print.js';
import { mapList } from '../../ast/walk.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostics.js';
import { isGeneratedName } from '../../resolve/local-names.js';
import { Span } from '../../source/location.js';
import { operandsText, signatureText, signatureToJson, typeText, typeToJson } from './print-type.js';
import { type FunctionType, isEmpty, isUnknown, type Type } from './type.js';

/**
 * An error found. `vague` says that something is unknown, which may be for an error already
 * reported.
 */
export interface TypeFinding {
  readonly diagnostic: Diagnostic;
  readonly vague: boolean;
  /**
   * The expression can hold for nothing while a collection of the policy is empty. It may be there
   * to be filled in: this is an error in strict mode alone.
   */
  readonly doubt?: Doubt;
}

/** A collection that is always empty, where something is looked for in it. */
export interface Doubt {
  readonly span: Span;
  readonly text: string;
  /** Its path below `data`, where it is a part of a rule's value. */
  readonly path: readonly string[] | undefined;
}

export function isError({ doubt }: TypeFinding): boolean {
  return doubt === undefined;
}

/** The lines are shown, but no part of the JSON. */
function details(json: { readonly [key: string]: AstJson }, lines: readonly string[]): object {
  return Object.defineProperty({ ...json }, 'lines', { value: () => lines, enumerable: false });
}

export function matchError(at: Span, left: Type | undefined, right: Type | undefined): TypeFinding {
  const more = details({ a: typeToJson(left), b: typeToJson(right) }, [
    `left  : ${typeText(left)}`,
    `right : ${typeText(right)}`,
    ...emptyHint(right),
  ]);
  return { diagnostic: diagnose('matchError', at, {}, more), vague: isUnknown(left) || isUnknown(right) };
}

/** How to ask a collection that is known to be empty whether it is. */
function emptyHint(type: Type | undefined): readonly string[] {
  return isEmpty(type) ? ['hint: the collection is always empty: count(x) == 0 tells whether a collection x is'] : [];
}

export type ArgumentComplaint = 'invalidArguments' | 'tooManyArguments' | 'tooFewArguments' | 'builtinArity';

interface CheckedCall {
  readonly name: string;
  readonly have: readonly (Type | undefined)[];
  readonly want: FunctionType;
  /** Whether the call has an operand for the result. Default: true. */
  readonly withResult?: boolean;
}

export function argumentError(
  complaint: ArgumentComplaint,
  at: Span,
  { name, have, want, withResult = true }: CheckedCall,
): TypeFinding {
  const lines = [`have: ${operandsText(have)}`, `want: ${signatureText(want, withResult)}`];
  const more = details({ have: have.map(typeToJson), want: signatureToJson(want, withResult) }, lines);
  return { diagnostic: diagnose(complaint, at, { name }, more), vague: have.some(isUnknown) };
}

/**
 * A ref into a scalar, or to a function.
 * @param whole the terms as the author wrote them
 */
export function unsupportedRef(whole: Ref, position: number, have: Type | undefined): TypeFinding {
  // A key after a function may be one that `some x in f` generated.
  const terms = have?.kind === 'function' ? refPrefix(whole, position + 1) : whole;
  const ref = printRef(terms);
  const lines = [
    ref,
    '^'.repeat(byteLength(printRef(terms.slice(0, position + 1)))),
    `have: ${have ? typeText(have) : '<nil>'}`,
    ...emptyHint(have),
  ];
  const more = details({ have: typeToJson(have), ref: refToJson(terms), pos: position }, lines);
  const complaint = have?.kind === 'function' ? 'functionAsValue' : 'undefinedRef';
  return { diagnostic: atTerm(diagnose(complaint, terms[0].loc, { ref }, more), terms, position), vague: false };
}

/**
 * A ref to a part that is not there; `have` is the key's type where it is no constant, `oneOf` the
 * keys that there are.
 */
export function invalidRef(
  terms: Ref,
  position: number,
  have: Type | undefined,
  want: Type | undefined,
  oneOf: readonly Value[],
): TypeFinding {
  const ref = printRef(terms);
  const pad = ' '.repeat(byteLength(printRef(terms.slice(0, position))) + 1);
  const lines = [
    ref,
    `${pad}^`,
    have ? `${pad}have (type): ${typeText(have)}` : `${pad}have: ${printTerm(terms[position]!)}`,
    oneOf.length > 0
      ? `${pad}want (one of): [${oneOf.map((key) => toJson(key)).join(' ')}]`
      : `${pad}want (type): ${want ? typeText(want) : '<nil>'}`,
  ];
  const more = details(
    {
      ref: refToJson(terms),
      pos: position,
      ...(have && { have: typeToJson(have) }),
      want: typeToJson(want),
      oneOf: oneOf.length > 0 ? (oneOf as readonly AstJson[]) : null,
    },
    lines,
  );
  return { diagnostic: atTerm(diagnose('undefinedRef', terms[0].loc, { ref }, more), terms, position), vague: false };
}

/** A ref into a collection that is empty: that of the terms up to `position`. */
export function refIntoEmpty(
  terms: Ref,
  names: ReadonlyMap<string, string>,
  position: number,
  have: Type | undefined,
): TypeFinding {
  const whole = mapList(writtenTerms(terms, names), (term) =>
    term.type === 'var' && isGeneratedName(term.name) ? { ...term, name: '_' } : term,
  );
  const [head, ...keys] = whole.slice(0, position + 1) as [Term, ...Term[]];
  const { loc } = head;
  const end = keys.reduce((last, key) => (key.loc.source === loc.source ? Math.max(last, key.loc.end) : last), loc.end);
  const isData = isRoot(head, 'data');
  const doubt: Doubt = {
    span: new Span(loc.source, loc.start, end),
    text: printRef([head, ...keys]),
    path: isData ? leadingKeys(keys) : undefined,
  };
  return { ...unsupportedRef(whole, position, have), doubt };
}

/** The place is the ref's; a terminal marks the term. That of an import is not in the text. */
function atTerm(diagnostic: Diagnostic, terms: Ref, position: number): Diagnostic {
  const head = terms[0].loc;
  const mark = terms[position]?.loc;
  return mark === undefined || mark.source !== head.source || mark.start <= head.start
    ? diagnostic
    : { ...diagnostic, mark };
}

function refToJson(terms: readonly Term[]): AstJson {
  return terms.map((term) => termToJson(term));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Terms as the author wrote them: variables by their names, and for a generated variable the text
 * of the expression that it replaced. The key that `some x in xs` generates replaced none.
 */
export function writtenTerms(terms: Ref, names: ReadonlyMap<string, string>): Ref {
  const [head] = terms;
  const written = (term: Term): Term => {
    switch (term.type) {
      case 'var': {
        const name = names.get(term.name) ?? textOfGenerated(term, head);
        return name === undefined ? term : { ...term, name };
      }
      case 'array':
      case 'set':
        return { ...term, items: term.items.map(written) };
      case 'object':
        return {
          ...term,
          entries: term.entries.map(({ key, value }) => ({ key: written(key), value: written(value) })),
        };
      default:
        return term;
    }
  };
  return mapList(terms, written);
}

/** The text that a generated variable replaced, if any. */
function textOfGenerated(term: VarTerm, head: Term): string | undefined {
  if (!isGeneratedName(term.name)) return undefined;
  if (term === head) return headTextAt(term.loc);
  return term.loc.start === head.loc.start ? term.name : textAt(term.loc);
}

/** An expression with operators at the head of a ref stands in parentheses. */
function headTextAt(span: Span): string {
  const { text } = span.source;
  const isInParens =
    text.slice(0, span.start).trimEnd().endsWith('(') && text.slice(span.end).trimStart().startsWith(')');
  return isInParens ? `(${textAt(span)})` : textAt(span);
}

function textAt({ source, start, end }: Span): string {
  return source.text.slice(start, end).replace(/\s+/g, ' ');
}
