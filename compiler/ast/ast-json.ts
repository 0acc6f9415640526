/** The tree as the API and `parse` show it. */

import { allAtOnce, type NumberValue, numberFromText, type Steps, visitSteps } from '../../values/index.js';
import type { Span } from '../source/location.js';
import { setMembers, sortedTermEntries } from './compare-terms.js';
import { FromInside } from './from-inside.js';
import type { Annotations, Body, Expr, Import, Module, Node, Package, Rule, RuleHead, Term, With } from './nodes.js';

/** A JSON value in which numbers may be exact: write it with the runtime's JSON writer. */
export type AstJson = null | boolean | NumberValue | string | readonly AstJson[] | { readonly [key: string]: AstJson };

interface AstJsonOptions {
  /** Add `location` to every node; comments have one always. */
  readonly locations?: boolean;
  /** Locations have the source as `text` as well, in base64. */
  readonly locationText?: boolean;
}

/** A module: `package`, and where there are any `imports`, `annotations`, `rules`, `comments`. */
export function moduleToJson(module: Module, options: AstJsonOptions = {}): AstJson {
  return allAtOnce(moduleToJsonSteps(module, options));
}

/** A module in steps: its tree is some thirty times as large as its text. */
export function moduleToJsonSteps(module: Module, options: AstJsonOptions = {}): Steps<AstJson> {
  return new Writer(options).module(module);
}

export function termToJson(term: Term): AstJson {
  return new Writer({}).term(term);
}

export function ruleToJson(rule: Rule): AstJson {
  return new Writer({}).rule(rule);
}

export function bodyToJson(body: Body): AstJson {
  return new Writer({}).body(body);
}

export function exprToJson(expr: Expr, index: number): AstJson {
  return new Writer({}).expr(expr, index);
}

export function annotationsToJson(annotations: Annotations, options: AstJsonOptions = {}): AstJson {
  return new Writer(options).annotations(annotations);
}

function locationToJson(loc: Span, withText: boolean): AstJson {
  const { row, col } = loc.source.position(loc.start);
  return { file: loc.file, row, col, ...(withText && { text: base64(loc.text) }) };
}

/** Base64 of a text's UTF-8 bytes. */
function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The `true` of a head without a value has no place in the text. */
function isImplied(term: Term): boolean {
  return term.type === 'boolean' && term.loc.text !== String(term.value);
}

const rulesOfStep = 16;

type Fields = { [key: string]: AstJson };

class Writer {
  readonly #locations: boolean;
  readonly #text: boolean;

  constructor(options: AstJsonOptions) {
    this.#locations = options.locations === true;
    this.#text = options.locationText === true;
  }

  #located(node: Exclude<Node, Module>, fields: Fields): AstJson {
    if (this.#locations) fields.location = locationToJson(node.loc, this.#text);
    return fields;
  }

  *module(module: Module): Steps<AstJson> {
    const fields: Fields = { package: this.#package(module.package) };
    if (module.imports.length > 0) fields.imports = module.imports.map((statement) => this.#import(statement));
    if (module.annotations.length > 0) fields.annotations = module.annotations.map((block) => this.annotations(block));
    if (module.rules.length > 0) {
      const rules: AstJson[] = [];
      fields.rules = rules;
      yield* visitSteps(module.rules, rulesOfStep, (rule) => rules.push(this.rule(rule)));
    }
    if (module.comments.length > 0)
      fields.comments = module.comments.map(({ text, loc }) => ({
        Text: base64(text),
        Location: locationToJson(loc, this.#text),
      }));
    return fields;
  }

  #package(node: Package): AstJson {
    return this.#located(node, { path: this.#terms(node.path) });
  }

  #import(node: Import): AstJson {
    return this.#located(node, { path: this.term(node.path), ...(node.alias !== undefined && { alias: node.alias }) });
  }

  rule(rule: Rule): AstJson {
    const others: Rule[] = [];
    for (let link = rule.else; link; link = link.else) others.push(link);
    const rest = others.reduceRight<AstJson | undefined>((after, link) => this.#link(link, after), undefined);
    return this.#link(rule, rest);
  }

  /** @param rest the `else` of the link */
  #link(rule: Rule, rest: AstJson | undefined): AstJson {
    const fields: Fields = {};
    if (rule.default) fields.default = true;
    fields.head = this.#head(rule.head);
    fields.body = this.body(rule.body);
    if (rest !== undefined) fields.else = rest;
    if (rule.annotations.length > 0) fields.annotations = rule.annotations.map((block) => this.annotations(block));
    return this.#located(rule, fields);
  }

  #head(head: RuleHead): AstJson {
    const fields: Fields = {};
    if (head.name !== '') fields.name = head.name;
    if (head.args) fields.args = this.#terms(head.args);
    if (head.key) fields.key = this.term(head.key);
    if (head.value)
      fields.value = isImplied(head.value)
        ? { type: head.value.type, value: this.#value(head.value) }
        : this.term(head.value);
    if (head.assign) fields.assign = true;
    fields.ref = this.#terms(head.ref);
    return this.#located(head, fields);
  }

  body(body: Body): AstJson {
    return body.map((expr, index) => this.expr(expr, index));
  }

  /** The parts of nodes in JSON; those of expressions do not depend on their place. */
  readonly #parts = new FromInside<AstJson>((node) =>
    node.type === 'expr' ? this.#exprTerms(node) : this.#term(node),
  );

  expr(expr: Expr, index: number): AstJson {
    const fields: Fields = { index };
    if (expr.negated) fields.negated = true;
    if (expr.generated) fields.generated = true;
    fields.terms = this.#parts.of(expr);
    if (expr.with.length > 0) fields.with = expr.with.map((modifier) => this.#with(modifier));
    return this.#located(expr, fields);
  }

  #with(modifier: With): AstJson {
    return this.#located(modifier, { target: this.term(modifier.target), value: this.term(modifier.value) });
  }

  #exprTerms(expr: Expr): AstJson {
    switch (expr.kind) {
      case 'term':
        return this.term(expr.term);
      case 'call':
        return this.#terms([expr.operator, ...expr.args]);
      case 'some':
        return this.#located(expr, { symbols: this.#terms(expr.symbols) });
      case 'every':
        return this.#located(expr, {
          key: expr.key ? this.term(expr.key) : null,
          value: this.term(expr.value),
          domain: this.term(expr.domain),
          body: this.body(expr.body),
        });
      case 'not':
        return this.#located(expr, { type: 'not', body: this.body(expr.body), explicit_body: expr.explicit });
      case 'and':
      case 'or':
        return this.#located(expr, {
          type: expr.kind,
          lhs: this.body(expr.lhs),
          rhs: this.body(expr.rhs),
          ...(expr.explicitLhs && { explicit_lhs: true }),
          ...(expr.explicitRhs && { explicit_rhs: true }),
        });
    }
  }

  #terms(terms: readonly Term[]): AstJson {
    return terms.map((term) => this.term(term));
  }

  term(term: Term): AstJson {
    return this.#parts.of(term);
  }

  #term(term: Term): AstJson {
    return this.#located(term, { type: term.type, value: this.#value(term) });
  }

  #value(term: Term): AstJson {
    switch (term.type) {
      case 'null':
        return {};
      case 'boolean':
      case 'string':
        return term.value;
      case 'number':
        return numberFromText(term.text);
      case 'var':
        return term.name;
      case 'ref':
        return this.#terms(term.terms);
      case 'array':
        return this.#terms(term.items);
      case 'set':
        return this.#terms(setMembers(term.items));
      case 'object':
        return sortedTermEntries(term.entries).map(({ key, value }) => [this.term(key), this.term(value)]);
      case 'arraycomprehension':
      case 'setcomprehension':
        return { term: this.term(term.term), body: this.body(term.body) };
      case 'objectcomprehension':
        return { key: this.term(term.key), value: this.term(term.value), body: this.body(term.body) };
      case 'call':
        return this.#terms([term.operator, ...term.args]);
      case 'templatestring':
        return {
          parts: term.parts.map((part) => (part.type === 'expr' ? this.expr(part, 0) : this.term(part))),
          multi_line: term.multiLine,
        };
    }
  }

  annotations(block: Annotations): AstJson {
    const fields: Fields = { scope: block.scope };
    if (block.title) fields.title = block.title;
    if (block.description) fields.description = block.description;
    if (block.entrypoint) fields.entrypoint = true;
    if (block.organizations.length > 0) fields.organizations = block.organizations;
    if (block.relatedResources.length > 0)
      fields.related_resources = block.relatedResources.map(({ ref, description }) => ({
        ref,
        ...(description && { description }),
      }));
    if (block.authors.length > 0)
      fields.authors = block.authors.map(({ name, email }) => ({ name, ...(email && { email }) }));
    if (block.schemas.length > 0)
      fields.schemas = block.schemas.map(({ path, schema, definition }) => ({
        path: this.#terms(path.terms),
        ...(schema && { schema: this.#terms(schema.terms) }),
        ...(definition !== undefined && { definition: definition as AstJson }),
      }));
    if (block.compile) {
      const { unknowns, maskRule } = block.compile;
      fields.compile = {
        ...(unknowns.length > 0 && { unknowns: unknowns.map((ref) => this.#terms(ref.terms)) }),
        ...(maskRule && { mask_rule: this.#terms(maskRule.terms) }),
      };
    }
    if (Object.keys(block.custom).length > 0) fields.custom = block.custom as AstJson;
    if (Object.keys(block.labels).length > 0) fields.labels = block.labels as AstJson;
    return this.#located(block, fields);
  }
}
