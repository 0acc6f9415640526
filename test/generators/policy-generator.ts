/**
 * Random policies that combine the language's features. Most of them compile. The same seed makes
 * the same policy.
 */

import { Choices } from './choices.js';
import { asVersionZero, type RegoVersion, randomDialect } from './dialects.js';
import { calls, collections, constants, documents, members, places, replaceable, slots, strings, targets } from './vocabulary.js';

/** The rules may be in any order, in one module per package or one per rule. */
export interface GeneratedPolicy {
  readonly regoVersion: RegoVersion;
  /** The lines below the package of each module. */
  readonly imports: string;
  readonly rules: readonly { readonly package: string; readonly text: string }[];
  readonly query: string;
}

type Kind = 'complete' | 'set' | 'object' | 'function' | 'general';

interface Declared {
  readonly package: string;
  readonly name: string;
  readonly kind: Kind;
  readonly arity: number;
}

/** Rules read only from their own package and from later ones, so that there is no recursion. */
const packages = ['t', 'e', 'a.c', 'a.b', 'a'];

export class PolicyGenerator extends Choices {
  #fresh = 0;
  #package = 't';
  /** Whether variables are bound by unification alone, so that expressions may be in any order. */
  #isPlain = false;
  /** The imported keywords. */
  #hasNot = false;
  #hasLogic = false;
  /** Comprehensions of one shape, which several rules have with other documents in them. */
  #shapes: readonly string[] = [];
  /** Whether it has few rules with short bodies, most of which hold for some documents. */
  #isSmall = false;
  /** The rules that a rule may read: those declared after it. */
  #visible: readonly Declared[] = [];

  policy(): GeneratedPolicy {
    this.#hasNot = this.chance(35);
    this.#hasLogic = this.chance(35);
    this.#shapes = this.times(1 + this.below(2), () => this.one(shapes));
    this.#isSmall = this.chance(45);
    const declared = this.times(this.#isSmall ? 2 + this.below(2) : 3 + this.below(5), (i): Declared => {
      const kind = this.one<Kind>(['complete', 'complete', 'set', 'object', 'function', 'function', 'general', 'general']);
      const name = `${kind === 'function' && this.chance(20) ? `lib${i}.` : ''}${this.one(['p', 'q', 'r'])}${i}`;
      return { package: i === 0 ? 't' : this.one(packages), name, kind, arity: 1 + this.below(2) };
    });
    declared.sort((a, b) => packages.indexOf(a.package) - packages.indexOf(b.package));
    const rules = declared.flatMap((rule, i) => {
      this.#package = rule.package;
      this.#visible = declared.slice(i + 1);
      return this.#twins(this.#rules(rule)).map((text) => ({ package: rule.package, text }));
    });
    this.#visible = declared;
    this.#package = '';
    const words = [...(this.#hasNot ? ['not'] : []), ...(this.#hasLogic ? ['and', 'or'] : [])];
    const dialect = randomDialect(this, words);
    const { regoVersion, imports } = dialect;
    const asked = declared[0]!;
    const path = `data.${asked.package}.${asked.name}`;
    const ref =
      asked.kind === 'function'
        ? `${path}(${this.#args(asked.arity, [])})`
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
        const fallback = this.chance(30) ? [`default ${name} := ${this.#constant()}`] : [];
        return [...fallback, ...this.times(count, () => this.#rule((scope) => this.#valueHead(name, scope), true))];
      }
      case 'function':
        return this.#functions(rule, count);
      case 'set': {
        const member = this.chance(35) ? this.one([recordOf, pairOf]) : undefined;
        return this.times(count, () =>
          this.#rule((scope) => `${name} contains ${member?.(this.#bound(scope, 1), this.#label(scope)) ?? this.#bound(scope, 2)}`),
        );
      }
      case 'object': {
        const key = this.chance(25) ? this.one([recordOf, pairOf]) : undefined;
        return this.times(count, () =>
          this.#rule(
            (scope) => `${name}[${key?.(this.#bound(scope, 0), this.#label(scope)) ?? this.#bound(scope, 1)}]${this.#value(scope)}`,
          ),
        );
      }
      case 'general':
        return this.#generals(name, count);
    }
  }

  /** Mostly the same, so that parts of keys are known. */
  #label(scope: readonly string[]): string {
    return this.chance(75) ? this.one(['"a"', '"b"']) : this.#bound(scope, 0);
  }

  #valueHead(name: string, scope: readonly string[]): string {
    return `${name} := ${this.chance(60) ? this.#constant() : this.#bound(scope, 2)}`;
  }

  /** Mostly the same value, so that equal keys rarely conflict. */
  #value(scope: readonly string[]): string {
    return this.chance(15) ? '' : ` := ${this.chance(60) ? '"k"' : this.#bound(scope, 2)}`;
  }

  /** Mostly rules of one kind: a set and a value at one path are rejected. */
  #generals(name: string, count: number): readonly string[] {
    const percent = this.one([0, 0, 100, 100, 50]);
    return this.times(count, () => this.#rule((scope) => this.#generalHead(name, scope, this.chance(percent))));
  }

  #generalHead(name: string, scope: readonly string[], isSet: boolean): string {
    const key = (): string =>
      this.chance(40)
        ? this.one([
            '.a',
            '.b',
            '["c"]',
            '[1]',
            '[1.0]',
            '["1"]',
            '["x y"]',
            '["a.b"]',
            '["é"]',
            '[true]',
            '[null]',
            '.if',
            '.input',
            '.__proto__',
          ])
        : `[${this.#bound(scope, 1)}]`;
    const path = this.times(1 + this.below(3), key).join('');
    return isSet ? `${name}${path} contains ${this.#bound(scope, 1)}` : `${name}${path}${this.#value(scope)}`;
  }

  #functions({ name, arity }: Declared, count: number): readonly string[] {
    const fallback = this.chance(20) ? [`default ${name}(${this.times(arity, () => '_').join(', ')}) := ${this.#constant()}`] : [];
    const rules = this.times(count, () => {
      this.#fresh = 0;
      const params = this.times(arity, () => this.#parameter());
      const scope = params.flatMap(({ vars }) => vars);
      return this.#rule((own) => `${name}(${params.map(({ text }) => text).join(', ')}) := ${this.#bound(own, 2)}`, true, scope);
    });
    return [...fallback, ...rules];
  }

  #rule(head: (scope: readonly string[]) => string, mayHaveElse = false, params: readonly string[] = []): string {
    if (params.length === 0) this.#fresh = 0;
    this.#isPlain = this.chance(20);
    const scope = [...params];
    const body = this.#isSmall ? this.#smallBody(scope) : this.#body(scope, 1 + this.below(3));
    const links = [`${head(scope)} if { ${body} }`];
    while (mayHaveElse && this.chance(25)) {
      const own = [...params];
      const condition = this.chance(70) ? ` if { ${this.#isSmall ? this.#smallBody(own) : this.#body(own, 2)} }` : '';
      links.push(`else := ${this.#bound(condition === '' ? params : own, 1)}${condition}`);
      if (condition === '') break;
    }
    return links.join(' ');
  }

  #parameter(): { text: string; vars: string[] } {
    const v = this.#localName([]);
    switch (this.below(7)) {
      case 0:
        return { text: `[${v}, _]`, vars: [v] };
      case 1:
        return { text: `{"a": ${v}}`, vars: [v] };
      case 2:
        return { text: this.#constant(), vars: [] };
      case 3:
        return { text: `[${v}, ${v}]`, vars: [v] };
      default:
        return { text: v, vars: [v] };
    }
  }

  #args(arity: number, scope: readonly string[]): string {
    return this.times(arity, () =>
      this.chance(35) ? this.one(['input.u', 'input.cs[_]', 'input.cs[0]', 'data.d.rows[_]']) : this.#bound(scope, 1),
    ).join(', ');
  }

  #name(): string {
    return `v${this.#fresh++}`;
  }

  /** A new variable, or one that shadows a rule. */
  #localName(scope: readonly string[]): string {
    const rule = this.#visible.find(({ package: own, name }) => own === this.#package && !scope.includes(name) && !name.includes('.'));
    return rule !== undefined && this.chance(5) ? rule.name : this.#name();
  }

  /** Expressions; adds their bindings to the scope. */
  #body(scope: string[], depth: number): string {
    const exprs = this.times(1 + this.below(depth + 1), () => this.#expression(scope, depth));
    if (this.#isPlain && this.chance(50)) for (let i = exprs.length - 1; i > 0; i--) exprs.push(...exprs.splice(this.below(i + 1), 1));
    return exprs.join('; ');
  }

  /** Perhaps a row of a document, and one or two conditions that hold or fail by it. */
  #smallBody(scope: string[]): string {
    const exprs: string[] = [];
    if (this.chance(35)) {
      const v = this.#name();
      exprs.push(
        this.chance(50) ? `${v} := ${this.one(['input.cs', 'data.d.rows'])}[_]` : `some ${v} in ${this.one(['input.cs', 'data.d.rows'])}`,
      );
      scope.push(v);
    }
    for (let count = 1 + this.below(2); count > 0; count--) {
      const pick = this.below(10);
      if (pick < 5) exprs.push(this.#shaped(scope));
      else if (pick < 6) exprs.push(this.#lookUp(scope));
      else if (pick < 7) exprs.push(`${this.chance(45) ? 'not ' : ''}${this.chance(30) ? this.#placed(scope) : this.#holds(scope, 0)}`);
      else exprs.push(this.#expression(scope, 1));
      if (this.chance(12)) exprs.push(this.#replacedRule(scope));
      if (this.chance(8)) exprs.push(`${exprs.pop()}${this.#modifiers(scope)}`);
    }
    return exprs.join('; ');
  }

  #expression(scope: string[], depth: number): string {
    const modified = depth > 0 && this.chance(20) ? this.#modifiers(scope) : '';
    const inner = depth - 1;
    switch (this.below(depth > 0 ? 27 : 5)) {
      case 25:
      case 26:
        return this.#replacedRule(scope);
      case 23:
        return `${this.#intoConstant(scope)}${modified}`;
      case 24:
        return `${this.chance(40) ? 'not ' : ''}${this.#placed(scope)}${modified}`;
      case 18:
      case 19:
      case 20:
        return this.#shaped(scope);
      case 21:
        return `${this.#holds(scope, inner)}${modified}`;
      case 22:
        return `${this.#lookUp(scope)}${modified}`;
      case 0:
        return `${this.#term(scope, inner)} ${this.one(['==', '==', '!=', '!=', '<', '>='])} ${this.#term(scope, inner)}${modified}`;
      case 1:
      case 2:
      case 6:
        return `${this.#assignment(scope, inner)}${modified}`;
      case 3:
        return `${this.#term(scope, inner)}${modified}`;
      case 4:
      case 5:
        return this.#iteration(scope, depth);
      case 7: {
        const own = [...scope];
        if (this.#hasNot && this.chance(60)) return `not { ${this.#inside(() => this.#body(own, inner))} }${modified}`;
        if (this.chance(35)) return `not ${this.#holds(scope, inner)}${modified}`;
        return `not ${this.#bound(scope, inner)}${this.chance(50) ? ` == ${this.#bound(scope, inner)}` : ''}${modified}`;
      }
      case 8: {
        const [k, v] = [this.#name(), this.#name()];
        const own = [...scope, k, v];
        const body = this.#inside(() => this.#body(own, Math.min(inner, 1)));
        const collection = this.#collection(scope, inner);
        return `every ${k}, ${v} in ${collection} { [${k}, ${v}] != ${this.#bound([...scope, v], 1)}; ${body} }${modified}`;
      }
      case 9:
        return `${this.#pattern(scope)}${modified}`;
      case 10:
        return `${this.chance(30) ? `${this.#bound(scope, 0)}, ` : ''}${this.#bound(scope, inner)} in ${this.#bound(scope, inner)}${modified}`;
      case 11: {
        if (!this.#hasLogic) return `${this.#sameTwice(scope)}${modified}`;
        const side = (): string => `{ ${this.#inside(() => this.#body([...scope], Math.min(inner, 1)))} }`;
        return `${side()} ${this.one(['and', 'or'])} ${side()}`;
      }
      case 12:
        return `${this.#sameTwice(scope)}${modified}`;
      case 13: {
        const document = this.chance(60) ? this.one(documents) : this.#bound(scope, 0);
        const [path, value] = [this.#name(), this.#name()];
        if (this.chance(20)) {
          scope.push(value);
          return `walk(${document}, [["a"${this.chance(50) ? ', _' : ''}], ${value}])`;
        }
        scope.push(path, value);
        return `walk(${document}, [${path}, ${value}])`;
      }
      default: {
        const [ref, vars] = this.#openRef(scope);
        const v = vars.length > 0 && this.chance(20) ? this.one(vars) : this.#name();
        scope.push(...vars, v);
        return this.chance(30) ? `${ref} = ${v}${modified}` : `${v} = ${ref}${modified}`;
      }
    }
  }

  /**
   * Text inside braces: it may redeclare any outer variable, and its order does not matter outside.
   */
  #inside(make: () => string): string {
    const before = this.#isPlain;
    this.#isPlain = false;
    const text = make();
    this.#isPlain = before;
    return text;
  }

  #assignment(scope: string[], depth: number): string {
    const term = this.#term(scope, depth);
    const v = this.#isPlain ? this.#name() : this.#localName(scope);
    scope.push(v);
    return `${v} ${this.#isPlain ? '=' : ':='} ${term}`;
  }

  /** A declared variable must be used. */
  #iteration(scope: string[], depth: number): string {
    if (this.#isPlain) return this.#assignment(scope, depth - 1);
    const collection = this.#collection(scope, depth - 1);
    const [k, v] = [this.#name(), this.#name()];
    switch (this.below(5)) {
      case 0:
        scope.push(k, v);
        return `some ${k}, ${v} in ${collection}; [${k}, ${v}] != 0`;
      case 1:
        scope.push(v);
        return `some ${v}, ${v} in ${collection}; ${v} != "z"`;
      case 2:
        scope.push(k, v);
        return `some ${this.chance(50) ? `[${k}, ${v}]` : `{"a": ${k}, "b": ${v}}`} in ${collection}; [${k}, ${v}] != 0`;
      case 3:
        scope.push(v);
        return `some ${v}; ${this.one(['input', 'input.a', 'data.d', 'input.o'])}[${v}] != ${this.#bound(scope.slice(0, -1), 0)}`;
      default:
        scope.push(v);
        return `some ${v} in ${collection}; ${v} != "z"`;
    }
  }

  /** A comparison, or a call that mostly gives a boolean. */
  #holds(scope: readonly string[], depth: number): string {
    const text = this.one([
      'startswith($, $)',
      'contains($, $)',
      'endswith($, $)',
      'upper($) == "A"',
      'lower($) == "b"',
      'abs($) >= 0',
      'to_number($) > 0',
      'upper(concat("", #)) == "A"',
      'count(#) > 0',
      'count(#) == 0',
      'is_string(@)',
      'regex.match("^[ab]", $)',
      '# == #',
      '@ in #',
      'object.get(#, @, false)',
      'strings.any_prefix_match($, #)',
    ]);
    return this.#filled(text, scope, depth);
  }

  /** A template of `vocabulary.ts` with terms in it. */
  #filled(template: string, scope: readonly string[], depth: number): string {
    return template.replace(/[@#$]/g, (sign) => {
      if (sign === '#') return this.#collection(scope, depth);
      if (sign === '$' && !this.chance(20))
        return this.chance(50) ? this.one(strings) : this.one(['input.b', 'input.o.a', 'input.o.b', 'input.a', ...scope]);
      return this.#bound(scope, depth);
    });
  }

  /** A comprehension of one of the policy's shapes, and a use of it. */
  #shaped(scope: string[]): string {
    const text = this.#shape(scope);
    switch (this.below(6)) {
      case 0:
      case 1:
        return `count(${text}) ${this.one(['>', '>', '==', '==', '!='])} ${this.one(['0', '0', '1'])}`;
      case 2:
        return `${this.#bound(scope, 0)} in ${text}`;
      case 3:
        return `not ${this.#bound(scope, 0)} in ${text}`;
      default: {
        const v = this.#name();
        const set =
          text.startsWith('{') && !this.chance(20)
            ? `${this.one(['{"a"}', '{"a", "b"}', `{${this.#bound(scope, 0)}}`])} ${this.one(['-', '-', '&', '|'])} ${text}`
            : text;
        scope.push(v);
        const use = this.chance(60) ? `; count(${v}) ${this.one(['>', '=='])} 0` : '';
        return `${v} ${this.#isPlain ? '=' : ':='} ${set}${use}`;
      }
    }
  }

  #shape(scope: readonly string[]): string {
    const owner =
      scope.length > 0 && this.chance(60) ? this.one(scope) : this.one(['input.u', 'input.u', 'data.d.names', 'input.cs[0]', 'input']);
    return this.one(this.#shapes).replaceAll('@', `${owner}.${this.one(members)}`);
  }

  /** A member of a set, or a key of an object, that is a collection of which a part is known. */
  #lookUp(scope: string[]): string {
    const rule = this.#rule0('set') ?? this.#rule0('object');
    if (rule === undefined) return this.#shaped(scope);
    const v = this.#name();
    const known = this.#label(scope);
    const isOpen = this.chance(80);
    const part = isOpen ? v : this.#bound(scope, 0);
    const key = this.chance(50) ? recordOf(part, known) : pairOf(part, known);
    if (isOpen) scope.push(v);
    return `${this.#nameOf(rule)}[${key}]`;
  }

  /** A rule under modifiers, perhaps beside itself without them. */
  #replacedRule(scope: string[]): string {
    if (this.#visible.length === 0) return this.#shaped(scope);
    const rule = this.one(this.#visible);
    const value = rule.kind === 'function' ? `${this.#nameOf(rule)}(${this.#args(rule.arity, scope)})` : this.#nameOf(rule);
    const target = this.chance(50) ? ` with count as ${this.one(['sum', 'is_array', '0', '1', '7'])}` : this.#modifiers(scope);
    const [before, v] = [this.#name(), this.#name()];
    const is = this.#isPlain ? '=' : ':=';
    const isTwice = this.chance(50);
    scope.push(v, ...(isTwice ? [before] : []));
    return `${isTwice ? `${before} ${is} ${value}; ` : ''}${v} ${is} ${value}${target}`;
  }

  /** What a base document has at a key that is known at run time alone. */
  #placed(scope: readonly string[]): string {
    const key = this.chance(70) ? this.one(slots) : this.#bound(scope, 0);
    const ref = `${this.one(places)}[${key}]${this.chance(25) ? `.${this.one(members)}` : ''}`;
    return this.chance(40) ? `${ref} ${this.one(['==', '!='])} ${this.#bound(scope, 0)}` : ref;
  }

  /** A variable that has a constant or null, and a ref into it. */
  #intoConstant(scope: string[]): string {
    const [whole, key] = [this.#name(), this.#name()];
    const part = this.chance(60) ? this.#bound(scope, 0) : key;
    const text = `${whole} = ${this.one(['data.d.none', 'data.d.none', 'data.d.none', 'null', '1', this.#constant(), '{"a": null}', '[null, [1]]'])}; ${whole}[${part}]`;
    scope.push(whole, ...(part === key ? [key] : []));
    return `${text}${this.chance(50) ? ` == ${this.one(documents)}` : ''}`;
  }

  /** A variable used as key and as value of one ref, or in two refs. */
  #sameTwice(scope: string[]): string {
    const [ref, vars] = this.#openRef(scope);
    const v = vars[0] ?? this.one([...scope, '1']);
    scope.push(...vars);
    return this.chance(50) ? `${ref} ${this.one(['=', '=='])} ${v}` : `${v} = ${ref}`;
  }

  #pattern(scope: string[]): string {
    const [a, b] = [this.#name(), this.#name()];
    const left = this.one([`[${a}, ${b}]`, `[${a}, ${this.#bound(scope, 0)}]`, `{"a": ${a}, "b": ${b}}`, `[${a}, [${b}]]`, `[${a}, ${a}]`]);
    const right = this.one([
      'input.a',
      'input.p',
      'input.o',
      'input.p[_]',
      'data.d.b[_]',
      ...scope,
      `[${this.#bound(scope, 0)}, ${this.#bound(scope, 0)}]`,
      `{"b": ${this.#bound(scope, 0)}, "a": ${this.#bound(scope, 1)}}`,
      `[${this.#bound(scope, 0)}, [${this.#bound(scope, 0)}]]`,
    ]);
    const declares = [`[${a}, ${b}]`, `{"a": ${a}, "b": ${b}}`, `[${a}, [${b}]]`].includes(left) && !this.#isPlain && this.chance(60);
    scope.push(a);
    if (left.includes(b)) scope.push(b);
    if (declares) return `${left} := ${right}`;
    return this.chance(25) ? `${right} = ${left}` : `${left} = ${right}`;
  }

  /** A ref with new variables, and the names of these. */
  #openRef(scope: readonly string[]): readonly [string, readonly string[]] {
    const vars: string[] = [];
    const rule = this.#rule0();
    const starts = ['input', 'in_a', 'data.d', 'data.d.a', ...collections, ...scope.slice(0, 1)];
    if (this.#package === 't') starts.push('data.e', 'pkg_e');
    if (this.#package === 't' || this.#package === 'e')
      starts.push('data.a', 'data.a', 'data.a.b', 'data.a.c', `data.a[${this.#bound(scope, 0)}]`);
    if (rule !== undefined) starts.push(...Array(6).fill(this.#nameOf(rule)));
    let text = this.one(starts);
    for (let i = 1 + this.below(3); i > 0; i--) {
      const pick = this.below(10);
      if (pick < 2) text += '[_]';
      else if (pick < 5) {
        const v = vars.length > 0 && this.chance(35) ? this.one(vars) : this.#name();
        if (!vars.includes(v)) vars.push(v);
        text += pick === 4 && this.chance(15) ? `[[${v}, _]]` : `[${v}]`;
      } else if (pick < 7) text += `[${this.#bound(scope, this.chance(20) ? 1 : 0)}]`;
      else if (pick < 8 && rule !== undefined) text += `.${rule.name}`;
      else if (pick < 9) text += `.${this.one(['a', 'b', 'm', 'k', ...members])}`;
      else text += `[${this.one([recordOf, pairOf])(vars.push(this.#name()) > 0 ? vars.at(-1)! : '', this.#label(scope))}]`;
    }
    return [text, vars];
  }

  /** A rule that is not a function. */
  #rule0(wanted?: Kind): Declared | undefined {
    const rules = this.#visible.filter(({ kind }) => kind !== 'function' && (wanted === undefined || kind === wanted));
    return rules.length > 0 ? this.one(rules) : undefined;
  }

  #nameOf(rule: Declared): string {
    if (rule.package === this.#package && this.chance(50)) return rule.name;
    return rule.package === 'e' && this.#package === 't' && this.chance(30) ? `pkg_e.${rule.name}` : `data.${rule.package}.${rule.name}`;
  }

  #modifiers(scope: readonly string[]): string {
    const rule = this.#visible.length > 0 ? this.one(this.#visible) : undefined;
    const choice = [...targets, ...replaceable.slice(0, 4)];
    if (this.#package === 't') choice.push('data.a.z', 'data.a', 'data.e.k', 'data.a');
    if (rule !== undefined) {
      const name = `data.${rule.package}.${rule.name}`;
      choice.push(...Array(6).fill(name), `${name}.a`, `${name}[1]`, `${name}["b"].a`);
    }
    return this.times(1 + this.below(2), () => {
      const target = this.one(choice);
      const isRule = rule?.kind === 'function' && target === `data.${rule.package}.${rule.name}`;
      const isFunction = isRule || replaceable.includes(target);
      const wanted = isRule ? rule.arity : 1;
      const mocks = this.#visible
        .filter(({ kind, arity }) => kind === 'function' && arity === wanted)
        .map((mock) => `data.${mock.package}.${mock.name}`);
      if (wanted === 1) mocks.push(...replaceable);
      if (isFunction && mocks.length > 0 && this.chance(60)) return ` with ${target} as ${this.one(mocks)}`;
      return ` with ${target} as ${this.#bound(scope, 1)}`;
    }).join('');
  }

  /** A term that can be iterated over as far as its type is known. */
  #collection(scope: readonly string[], depth: number): string {
    const term = this.chance(30) ? this.one(collections) : this.#bound(scope, depth);
    return /^[[{]|^(input|data)/.test(term) || scope.includes(term) ? term : `[${term}]`;
  }

  #constant(): string {
    return this.one(constants);
  }

  /** A term that may have several values. */
  #term(scope: readonly string[], depth: number): string {
    if (!this.chance(25)) return this.#bound(scope, depth);
    return this.#openRef(scope)[0].replace(/\bv\d+\b/g, (name) => (scope.includes(name) ? name : '_'));
  }

  /** A term without new variables. */
  #bound(scope: readonly string[], depth: number): string {
    if (scope.length > 0 && this.chance(40)) return this.one(scope);
    const inner = depth - 1;
    switch (this.below(depth > 0 ? 18 : 4)) {
      case 17:
        return `${this.one(places)}[${this.one(slots.filter((slot) => !slot.includes('_')))}]`;
      case 0:
      case 4:
        return this.one(documents);
      case 1:
      case 2:
        return this.#constant();
      case 3:
        return scope.length > 0 ? this.one(scope) : this.#constant();
      case 5:
        return `[${this.#bound(scope, inner)}, ${this.#bound(scope, inner)}]`;
      case 6:
        return `{${this.#bound(scope, inner)}, ${this.#bound(scope, inner)}}`;
      case 7:
        return `{"a": ${this.#bound(scope, inner)}, ${this.#objectKey(scope)}: ${this.#bound(scope, inner)}}`;
      case 8:
        return this.#filled(this.one(calls), scope, inner);
      case 9:
        return this.chance(40) ? this.#shape(scope) : this.#comprehension(scope, inner);
      case 10:
        return this.#comprehension(scope, inner);
      case 11:
        return `$"${this.one(['', '', 'é ', 'a'])}${this.times(1 + this.below(2), () => `{${this.#templatePart(scope, inner)}}`).join('-')}"`;
      case 12:
        return this.one([
          `object.get(${this.#bound(scope, 0)}, ${this.#bound(scope, 0)}, ${this.#bound(scope, 0)})`,
          `(${this.#bound(scope, 0)} ${this.one(['+', '-', '*', '==', '<'])} ${this.#bound(scope, inner)})`,
          `({${this.#bound(scope, 0)}} ${this.one(['|', '&', '-'])} {${this.#bound(scope, inner)}})`,
          `[${this.#bound(scope, inner)}, ${this.#bound(scope, 0)}][${this.#bound(scope, 0)}]`,
        ]);
      default: {
        if (this.#visible.length === 0) return this.#constant();
        const rule = this.one(this.#visible);
        const path = this.#nameOf(rule);
        if (rule.kind === 'function') return `${path}(${this.#args(rule.arity, scope)})`;
        return this.chance(40) ? `${path}[${this.#bound(scope, 0)}]` : path;
      }
    }
  }

  /** Mostly a key other than "a". */
  #objectKey(scope: readonly string[]): string {
    return this.chance(80) ? '"b"' : this.one(['"a"', ...scope]);
  }

  #templatePart(scope: readonly string[], depth: number): string {
    const part = this.#bound(scope, depth);
    return part.startsWith('{') ? ` ${part} ` : part;
  }

  #comprehension(scope: readonly string[], depth: number): string {
    return this.#inside(() => {
      const own = [...scope];
      // A variable of the comprehension may shadow an outer one.
      const hidden = scope.length > 0 && this.chance(15) ? this.one(scope) : undefined;
      const start =
        hidden === undefined
          ? ''
          : `${hidden} := ${this.#bound(
              scope.filter((name) => name !== hidden),
              1,
            )}; `;
      const body = `${start}${this.#body(own, Math.min(depth, 2))}`;
      const head = this.#bound(own, 1);
      return this.one([
        `[${head} | ${body}]`,
        `{${head} | ${body}}`,
        `{${head}: ${this.chance(50) ? 'true' : this.#bound(own, 0)} | ${body}}`,
      ]);
    });
  }
}

/** A member or key with two parts. */
function recordOf(part: string, label: string): string {
  return `{"m": ${part}, "f": ${label}}`;
}

function pairOf(part: string, label: string): string {
  return `[${label}, ${part}]`;
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
