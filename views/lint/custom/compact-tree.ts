/**
 * The compact syntax tree that rules written in Rego read, and `regal parse` prints. Places are
 * texts; what no author wrote has none, and fields without content are left out.
 */

import type {
  Annotations,
  Comment,
  Expr,
  Import,
  Module,
  Rule,
  RuleHead,
  Term,
  With,
} from '../../../compiler/index.js';
import { annotationsToJson, Span } from '../../../compiler/index.js';
import { type PlainObject, parseJson, type Value } from '../../../values/index.js';
import { type TextPlace, textPlace } from '../frame/found-at.js';
import { termAt } from '../frame/term-text.js';
import { isGenerated } from '../frame/walk-file.js';
import { isChained } from '../rules/tree.js';

/** The facts of a file beside its tree. */
interface TreeFile {
  readonly name: string;
  readonly text: string;
  readonly absolute: string;
  /** The phase: `lint`, or `collect` and `aggregate` of rules over several files. */
  readonly operations: readonly string[];
}

/** The tree of a module as a document. */
export function compactTree(module: Module, file: TreeFile): PlainObject {
  const annotations = module.annotations.filter(({ scope }) => scope === 'package' || scope === 'subpackages');
  return {
    package: {
      location: placeText(module.package.loc),
      path: module.package.path.map((term, i) => (i === 0 ? { type: 'var', value: 'data' } : termTree(term))),
      ...listOf('annotations', annotations.map(annotationTree)),
    },
    ...listOf('imports', module.imports.map(importTree)),
    ...listOf(
      'rules',
      module.rules.map((rule) => ruleTree(rule, rule)),
    ),
    ...listOf('comments', commentTrees(module)),
    regal: {
      file: {
        name: file.name,
        lines: file.text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)),
        abs: file.absolute,
        rego_version: module.regoVersion === 'v1' ? 'v1' : 'v0',
      },
      environment: { path_separator: '/' },
      operations: [...file.operations],
    },
  };
}

function placeText(loc: Span, { text }: Span = loc): string {
  return textOf(textPlace(loc, text));
}

/** `row:col:endrow:endcol`. */
function textOf({ row, col, end }: TextPlace): string {
  return `${row}:${col}:${end.row}:${end.col}`;
}

function listOf(name: string, items: readonly Value[]): PlainObject {
  return items.length === 0 ? {} : { [name]: items as Value };
}

function importTree({ loc, path, alias }: Import): PlainObject {
  return { location: placeText(loc), path: termTree(path), ...(alias !== undefined && { alias }) };
}

/** The first comment of a block of metadata has the place of the block. */
function commentTrees({ comments, annotations }: Module): readonly Value[] {
  const blocks = new Map(annotations.map(({ loc }) => [loc.start, loc]));
  return comments.map(({ loc }: Comment) => placeText(blocks.get(loc.start) ?? loc));
}

function annotationTree(annotations: Annotations): PlainObject {
  const {
    path: _,
    location: __,
    ...fields
  } = annotationsToJson(annotations) as PlainObject & { path?: Value; location?: Value };
  return { location: placeText(annotations.loc), ...fields };
}

function ruleTree(link: Rule, rule: Rule): PlainObject {
  return {
    location: placeText(link.default ? link.body[0]!.loc : wholeSpan(link)),
    ...listOf('annotations', link.annotations.map(annotationTree)),
    ...(link.default && { default: true }),
    head: headTree(link, rule),
    ...(!link.generatedBody && !link.default && { body: link.body.map(exprTree) }),
    ...(link.else && { else: ruleTree(link.else, rule) }),
  };
}

/** A rule ends where its last `else` does. */
function wholeSpan(link: Rule): Span {
  let last = link;
  while (last.else) last = last.else;
  return new Span(link.loc.source, link.loc.start, last.loc.end);
}

function headTree(link: Rule, rule: Rule): PlainObject {
  const head: RuleHead = link.head;
  const { key, value } = head;
  return {
    location: placeText(head.loc),
    ref: head.ref.map(termTree),
    ...listOf('args', (head.args ?? rule.head.args ?? []).map(termTree)),
    ...(head.assign && { assign: true }),
    ...(key && { key: termTree(key) }),
    ...(value && {
      value: isGenerated(value, link) || isChained(link) ? { type: 'boolean', value: true } : termTree(value),
    }),
  };
}

function exprTree(expr: Expr): PlainObject {
  return {
    location: placeText(expr.loc),
    ...(expr.negated && { negated: true }),
    ...listOf('with', expr.with.map(withTree)),
    terms: termsTree(expr),
  };
}

function withTree({ loc, target, value }: With): PlainObject {
  return { location: placeText(loc), target: termTree(target), value: termTree(value) };
}

function termsTree(expr: Expr): Value {
  const { loc } = expr;
  switch (expr.kind) {
    case 'term':
      return termTree(expr.term);
    case 'call':
      return [expr.operator, ...expr.args].map(termTree);
    case 'some':
      return { location: wordText(loc, 'some'), symbols: expr.symbols.map(termTree) };
    case 'every':
      return {
        location: wordText(loc, 'every'),
        ...(expr.key && { key: termTree(expr.key) }),
        value: termTree(expr.value),
        domain: termTree(expr.domain),
        body: expr.body.map(exprTree),
      };
    case 'not':
      return {
        location: placeText(loc),
        type: 'not',
        body: expr.body.map(exprTree),
        ...(expr.explicit && { explicit_body: true }),
      };
    default:
      return {
        location: placeText(loc),
        type: expr.kind,
        lhs: expr.lhs.map(exprTree),
        rhs: expr.rhs.map(exprTree),
        ...(expr.explicitLhs && { explicit_lhs: true }),
        ...(expr.explicitRhs && { explicit_rhs: true }),
      };
  }
}

/** The place of the keyword that an expression begins with. */
function wordText({ source, start }: Span, word: string): string {
  const { row, col } = source.position(start);
  return `${row}:${col}:${row}:${col + word.length}`;
}

function termTree(term: Term): PlainObject {
  return { type: term.type, value: termValue(term), location: textOf(termAt(term)) };
}

function termValue(term: Term): Value {
  switch (term.type) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return term.value;
    case 'number':
      return parseJson(term.text);
    case 'var':
      return term.name;
    case 'ref':
      return term.terms.map(termTree);
    case 'array':
    case 'set':
      return term.items.map(termTree);
    case 'object':
      return term.entries.map(({ key, value }) => [termTree(key), termTree(value)]);
    case 'call':
      return [term.operator, ...term.args].map(termTree);
    case 'objectcomprehension':
      return { key: termTree(term.key), value: termTree(term.value), body: term.body.map(exprTree) };
    case 'arraycomprehension':
    case 'setcomprehension':
      return { term: termTree(term.term), body: term.body.map(exprTree) };
    case 'templatestring':
      return {
        parts: term.parts.map((part) =>
          part.type === 'expr' ? { ...exprTree(part), interpolated: true } : termTree(part),
        ),
        ...(term.multiLine && { multi_line: true }),
      };
  }
}
