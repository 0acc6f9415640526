/**
 * Random policies that combine the language's features. Most of them compile. The same seed makes
 * the same policy.
 */

import { BodyGenerator, type Declared, type Kind } from './body-generator.js';
import { asVersionZero, type RegoVersion, randomDialect } from './dialects.js';
import { constants, headKeys, members, pairOf, recordOf } from './vocabulary.js';

/** The rules may be in any order, in one module per package or one per rule. */
export interface GeneratedPolicy {
  readonly regoVersion: RegoVersion;
  /** The lines below the package of each module. */
  readonly imports: string;
  readonly rules: readonly { readonly package: string; readonly text: string }[];
  readonly query: string;
}

/** Rules read only from their own package and from later ones, so that there is no recursion. */
const packages = ['t', 'e', 'a.c', 'a.b', 'a'];

export class PolicyGenerator extends BodyGenerator {
  /** Whether it has few rules with short bodies, most of which hold for some documents. */
  #isSmall = false;

  policy(): GeneratedPolicy {
    this.hasNot = this.chance(35);
    this.hasLogic = this.chance(35);
    this.shapes = this.times(1 + this.below(2), () => this.one(shapes));
    this.#isSmall = this.chance(45);
    const declared = this.times(this.#isSmall ? 2 + this.below(2) : 3 + this.below(5), (i): Declared => {
      const kind = this.one<Kind>(['complete', 'complete', 'set', 'object', 'function', 'function', 'general', 'general']);
      const name = `${kind === 'function' && this.chance(20) ? `lib${i}.` : ''}${this.one(['p', 'q', 'r'])}${i}`;
      return { package: i === 0 ? 't' : this.one(packages), name, kind, arity: 1 + this.below(2) };
    });
    declared.sort((a, b) => packages.indexOf(a.package) - packages.indexOf(b.package));
    const rules = declared.flatMap((rule, i) => {
      this.package = rule.package;
      this.visible = declared.slice(i + 1);
      return this.#twins(this.#rules(rule)).map((text) => ({ package: rule.package, text }));
    });
    this.visible = declared;
    this.package = '';
    const words = [...(this.hasNot ? ['not'] : []), ...(this.hasLogic ? ['and', 'or'] : [])];
    const dialect = randomDialect(this, words);
    const { regoVersion, imports } = dialect;
    const asked = declared[0]!;
    const path = `data.${asked.package}.${asked.name}`;
    const ref =
      asked.kind === 'function'
        ? `${path}(${this.args(asked.arity, [])})`
        : this.one([path, `${path}[y]`, `${path}.a`, `${path}[1]`, `${path}.b.a`, 'data', 'data', 'data.t']);
    return {
      regoVersion,
      imports: `${imports}import data.e as pkg_e\nimport input.a as in_a`,
      rules: regoVersion === 'v1' ? rules : rules.map((rule) => ({ ...rule, text: asVersionZero(rule.text, dialect) })),
      query: `x = ${ref}`,
    };
  }

  /**
   * Rules of one document often have bodies of one shape, with other members, constants and
   * comparisons: some rules are made of others, `else` links too.
   */
  #twins(rules: readonly string[]): readonly string[] {
    if (!this.#isSmall || this.chance(40)) return rules;
    const models = rules.filter((text) => !text.startsWith('default'));
    if (models.length === 0) return rules;
    const model = this.one(models);
    if (this.chance(40) && !model.includes(' else ') && / :?= .* if \{/.test(model)) {
      const body = /if \{(.*)\}$/.exec(model)?.[1];
      if (body !== undefined)
        return rules.map((text) => (text === model ? `${text} else := ${this.one(constants)} if {${this.#varied(body)}}` : text));
    }
    return [...rules, this.#varied(model)];
  }

  #varied(text: string): string {
    return text
      .replace(/(?<=\.)[alqr]\b/g, (member) => (this.chance(60) ? this.one(members) : member))
      .replace(/ (?:>|==|!=) (?=[01]\b)/g, (sign) => (this.chance(60) ? this.one([' > ', ' == ']) : sign))
      .replace(/:= (?:\d+|"\w*"|true|false|null)(?= if)/, () => `:= ${this.one(constants)}`);
  }

  #rules(rule: Declared): readonly string[] {
    const { name, kind } = rule;
    const count = 1 + this.below(kind === 'general' ? 4 : 3);
    switch (kind) {
      case 'complete': {
        const fallback = this.chance(30) ? [`default ${name} := ${this.constant()}`] : [];
        return [...fallback, ...this.times(count, () => this.#rule((scope) => this.#valueHead(name, scope), true))];
      }
      case 'function':
        return this.#functions(rule, count);
      case 'set': {
        const member = this.chance(35) ? this.one([recordOf, pairOf]) : undefined;
        return this.times(count, () =>
          this.#rule((scope) => `${name} contains ${member?.(this.bound(scope, 1), this.label(scope)) ?? this.bound(scope, 2)}`),
        );
      }
      case 'object': {
        const key = this.chance(25) ? this.one([recordOf, pairOf]) : undefined;
        return this.times(count, () =>
          this.#rule((scope) => `${name}[${key?.(this.bound(scope, 0), this.label(scope)) ?? this.bound(scope, 1)}]${this.#value(scope)}`),
        );
      }
      case 'general':
        return this.#generals(name, count);
    }
  }

  #valueHead(name: string, scope: readonly string[]): string {
    return `${name} := ${this.chance(60) ? this.constant() : this.bound(scope, 2)}`;
  }

  /** Mostly the same value, so that equal keys rarely conflict. */
  #value(scope: readonly string[]): string {
    return this.chance(15) ? '' : ` := ${this.chance(60) ? '"k"' : this.bound(scope, 2)}`;
  }

  /** Mostly rules of one kind: a set and a value at one path are rejected. */
  #generals(name: string, count: number): readonly string[] {
    const percent = this.one([0, 0, 100, 100, 50]);
    return this.times(count, () => this.#rule((scope) => this.#generalHead(name, scope, this.chance(percent))));
  }

  #generalHead(name: string, scope: readonly string[], isSet: boolean): string {
    const key = (): string => (this.chance(40) ? this.one(headKeys) : `[${this.bound(scope, 1)}]`);
    const path = this.times(1 + this.below(3), key).join('');
    return isSet ? `${name}${path} contains ${this.bound(scope, 1)}` : `${name}${path}${this.#value(scope)}`;
  }

  #functions({ name, arity }: Declared, count: number): readonly string[] {
    const fallback = this.chance(20) ? [`default ${name}(${this.times(arity, () => '_').join(', ')}) := ${this.constant()}`] : [];
    const rules = this.times(count, () => {
      this.fresh = 0;
      const params = this.times(arity, () => this.#parameter());
      const scope = params.flatMap(({ vars }) => vars);
      return this.#rule((own) => `${name}(${params.map(({ text }) => text).join(', ')}) := ${this.bound(own, 2)}`, true, scope);
    });
    return [...fallback, ...rules];
  }

  #rule(head: (scope: readonly string[]) => string, mayHaveElse = false, params: readonly string[] = []): string {
    if (params.length === 0) this.fresh = 0;
    this.isPlain = this.chance(20);
    const scope = [...params];
    const body = this.#isSmall ? this.smallBody(scope) : this.body(scope, 1 + this.below(3));
    const links = [`${head(scope)} if { ${body} }`];
    while (mayHaveElse && this.chance(25)) {
      const own = [...params];
      const condition = this.chance(70) ? ` if { ${this.#isSmall ? this.smallBody(own) : this.body(own, 2)} }` : '';
      links.push(`else := ${this.bound(condition === '' ? params : own, 1)}${condition}`);
      if (condition === '') break;
    }
    return links.join(' ');
  }

  #parameter(): { text: string; vars: string[] } {
    const v = this.localName([]);
    switch (this.below(7)) {
      case 0:
        return { text: `[${v}, _]`, vars: [v] };
      case 1:
        return { text: `{"a": ${v}}`, vars: [v] };
      case 2:
        return { text: this.constant(), vars: [] };
      case 3:
        return { text: `[${v}, ${v}]`, vars: [v] };
      default:
        return { text: v, vars: [v] };
    }
  }
}

/** Comprehensions over a document, `@`. */
const shapes: readonly string[] = [
  '{r | @[r]}',
  '{r | r := @[_]}',
  '[r | r := @[_]]',
  '[r | r := @[_]; r == "a"]',
  '{r | some r in @; r != "b"}',
  '{r: 1 | @[r]}',
  '{k: v | some k, v in @}',
  '[k | some k, v in @; v != false]',
  '{r | r := @[_]; startswith(r, "a")}',
];
