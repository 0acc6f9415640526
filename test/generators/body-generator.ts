/** Bodies, expressions and terms of random policies. */

import { Choices } from './choices.js';
import {
  calls,
  collections,
  constants,
  documents,
  members,
  pairOf,
  places,
  recordOf,
  replaceable,
  slots,
  strings,
  targets,
} from './vocabulary.js';

export type Kind = 'complete' | 'set' | 'object' | 'function' | 'general';

export interface Declared {
  readonly package: string;
  readonly name: string;
  readonly kind: Kind;
  readonly arity: number;
}

export class BodyGenerator extends Choices {
  protected fresh = 0;
  protected package = 't';
  /** Whether variables are bound by unification alone, so that expressions may be in any order. */
  protected isPlain = false;
  /** The imported keywords. */
  protected hasNot = false;
  protected hasLogic = false;
  /** Comprehensions of one shape, which several rules have with other documents in them. */
  protected shapes: readonly string[] = [];
  /** The rules that a rule may read: those declared after it. */
  protected visible: readonly Declared[] = [];

  protected args(arity: number, scope: readonly string[]): string {
    return this.times(arity, () =>
      this.chance(35) ? this.one(['input.u', 'input.cs[_]', 'input.cs[0]', 'data.d.rows[_]']) : this.bound(scope, 1),
    ).join(', ');
  }

  #name(): string {
    return `v${this.fresh++}`;
  }

  /** A new variable, or one that shadows a rule. */
  protected localName(scope: readonly string[]): string {
    const rule = this.visible.find(({ package: own, name }) => own === this.package && !scope.includes(name) && !name.includes('.'));
    return rule !== undefined && this.chance(5) ? rule.name : this.#name();
  }

  /** Expressions; adds their bindings to the scope. */
  protected body(scope: string[], depth: number): string {
    const exprs = this.times(1 + this.below(depth + 1), () => this.#expression(scope, depth));
    if (this.isPlain && this.chance(50)) for (let i = exprs.length - 1; i > 0; i--) exprs.push(...exprs.splice(this.below(i + 1), 1));
    return exprs.join('; ');
  }

  /** Perhaps a row of a document, and one or two conditions that hold or fail by it. */
  protected smallBody(scope: string[]): string {
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
        if (this.hasNot && this.chance(60)) return `not { ${this.#inside(() => this.body(own, inner))} }${modified}`;
        if (this.chance(35)) return `not ${this.#holds(scope, inner)}${modified}`;
        return `not ${this.bound(scope, inner)}${this.chance(50) ? ` == ${this.bound(scope, inner)}` : ''}${modified}`;
      }
      case 8: {
        const [k, v] = [this.#name(), this.#name()];
        const own = [...scope, k, v];
        const body = this.#inside(() => this.body(own, Math.min(inner, 1)));
        const collection = this.#collection(scope, inner);
        return `every ${k}, ${v} in ${collection} { [${k}, ${v}] != ${this.bound([...scope, v], 1)}; ${body} }${modified}`;
      }
      case 9:
        return `${this.#pattern(scope)}${modified}`;
      case 10:
        return `${this.chance(30) ? `${this.bound(scope, 0)}, ` : ''}${this.bound(scope, inner)} in ${this.bound(scope, inner)}${modified}`;
      case 11: {
        if (!this.hasLogic) return `${this.#sameTwice(scope)}${modified}`;
        const side = (): string => `{ ${this.#inside(() => this.body([...scope], Math.min(inner, 1)))} }`;
        return `${side()} ${this.one(['and', 'or'])} ${side()}`;
      }
      case 12:
        return `${this.#sameTwice(scope)}${modified}`;
      case 13: {
        const document = this.chance(60) ? this.one(documents) : this.bound(scope, 0);
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
    const before = this.isPlain;
    this.isPlain = false;
    const text = make();
    this.isPlain = before;
    return text;
  }

  #assignment(scope: string[], depth: number): string {
    const term = this.#term(scope, depth);
    const v = this.isPlain ? this.#name() : this.localName(scope);
    scope.push(v);
    return `${v} ${this.isPlain ? '=' : ':='} ${term}`;
  }

  /** A declared variable must be used. */
  #iteration(scope: string[], depth: number): string {
    if (this.isPlain) return this.#assignment(scope, depth - 1);
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
        return `some ${v}; ${this.one(['input', 'input.a', 'data.d', 'input.o'])}[${v}] != ${this.bound(scope.slice(0, -1), 0)}`;
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
      return this.bound(scope, depth);
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
        return `${this.bound(scope, 0)} in ${text}`;
      case 3:
        return `not ${this.bound(scope, 0)} in ${text}`;
      default: {
        const v = this.#name();
        const set =
          text.startsWith('{') && !this.chance(20)
            ? `${this.one(['{"a"}', '{"a", "b"}', `{${this.bound(scope, 0)}}`])} ${this.one(['-', '-', '&', '|'])} ${text}`
            : text;
        scope.push(v);
        const use = this.chance(60) ? `; count(${v}) ${this.one(['>', '=='])} 0` : '';
        return `${v} ${this.isPlain ? '=' : ':='} ${set}${use}`;
      }
    }
  }

  #shape(scope: readonly string[]): string {
    const owner =
      scope.length > 0 && this.chance(60) ? this.one(scope) : this.one(['input.u', 'input.u', 'data.d.names', 'input.cs[0]', 'input']);
    return this.one(this.shapes).replaceAll('@', `${owner}.${this.one(members)}`);
  }

  /** A member of a set, or a key of an object, that is a collection of which a part is known. */
  #lookUp(scope: string[]): string {
    const rule = this.#rule0('set') ?? this.#rule0('object');
    if (rule === undefined) return this.#shaped(scope);
    const v = this.#name();
    const known = this.label(scope);
    const isOpen = this.chance(80);
    const part = isOpen ? v : this.bound(scope, 0);
    const key = this.chance(50) ? recordOf(part, known) : pairOf(part, known);
    if (isOpen) scope.push(v);
    return `${this.#nameOf(rule)}[${key}]`;
  }

  /** A rule under modifiers, perhaps beside itself without them. */
  #replacedRule(scope: string[]): string {
    if (this.visible.length === 0) return this.#shaped(scope);
    const rule = this.one(this.visible);
    const value = rule.kind === 'function' ? `${this.#nameOf(rule)}(${this.args(rule.arity, scope)})` : this.#nameOf(rule);
    const target = this.chance(50) ? ` with count as ${this.one(['sum', 'is_array', '0', '1', '7'])}` : this.#modifiers(scope);
    const [before, v] = [this.#name(), this.#name()];
    const is = this.isPlain ? '=' : ':=';
    const isTwice = this.chance(50);
    scope.push(v, ...(isTwice ? [before] : []));
    return `${isTwice ? `${before} ${is} ${value}; ` : ''}${v} ${is} ${value}${target}`;
  }

  /** What a base document has at a key that is known at run time alone. */
  #placed(scope: readonly string[]): string {
    const key = this.chance(70) ? this.one(slots) : this.bound(scope, 0);
    const member = this.chance(25) ? `.${this.one(members)}` : '';
    const ref = `${(this.chance(50) ? this.#packageBelow() : undefined) ?? `${this.one(places)}[${key}]`}${member}`;
    return this.chance(40) ? `${ref} ${this.one(['==', '!='])} ${this.bound(scope, 0)}` : ref;
  }

  /** A package whose rules may be read, at a key of the input, which may name a function there. */
  #packageBelow(): string | undefined {
    const others = this.visible.filter(({ package: name }) => !`${this.package}.`.startsWith(`${name}.`));
    const functions = others.filter(({ kind }) => kind === 'function');
    if (others.length === 0) return undefined;
    return `data.${this.one(functions.length > 0 ? functions : others).package}[input.slot]`;
  }

  /** A variable that has a constant or null, and a ref into it. */
  #intoConstant(scope: string[]): string {
    const [whole, key] = [this.#name(), this.#name()];
    const part = this.chance(60) ? this.bound(scope, 0) : key;
    const text = `${whole} = ${this.one(['data.d.none', 'data.d.none', 'data.d.none', 'null', '1', this.constant(), '{"a": null}', '[null, [1]]'])}; ${whole}[${part}]`;
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
    const left = this.one([`[${a}, ${b}]`, `[${a}, ${this.bound(scope, 0)}]`, `{"a": ${a}, "b": ${b}}`, `[${a}, [${b}]]`, `[${a}, ${a}]`]);
    const right = this.one([
      'input.a',
      'input.p',
      'input.o',
      'input.p[_]',
      'data.d.b[_]',
      ...scope,
      `[${this.bound(scope, 0)}, ${this.bound(scope, 0)}]`,
      `{"b": ${this.bound(scope, 0)}, "a": ${this.bound(scope, 1)}}`,
      `[${this.bound(scope, 0)}, [${this.bound(scope, 0)}]]`,
    ]);
    const declares = [`[${a}, ${b}]`, `{"a": ${a}, "b": ${b}}`, `[${a}, [${b}]]`].includes(left) && !this.isPlain && this.chance(60);
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
    if (this.package === 't') starts.push('data.e', 'pkg_e');
    if (this.package === 't' || this.package === 'e')
      starts.push('data.a', 'data.a', 'data.a.b', 'data.a.c', `data.a[${this.bound(scope, 0)}]`);
    if (rule !== undefined) starts.push(...Array(6).fill(this.#nameOf(rule)));
    let text = this.one(starts);
    for (let i = 1 + this.below(3); i > 0; i--) {
      const pick = this.below(10);
      if (pick < 2) text += '[_]';
      else if (pick < 5) {
        const v = vars.length > 0 && this.chance(35) ? this.one(vars) : this.#name();
        if (!vars.includes(v)) vars.push(v);
        text += pick === 4 && this.chance(15) ? `[[${v}, _]]` : `[${v}]`;
      } else if (pick < 7) text += `[${this.bound(scope, this.chance(20) ? 1 : 0)}]`;
      else if (pick < 8 && rule !== undefined) text += `.${rule.name}`;
      else if (pick < 9) text += `.${this.one(['a', 'b', 'm', 'k', ...members])}`;
      else text += `[${this.one([recordOf, pairOf])(vars.push(this.#name()) > 0 ? vars.at(-1)! : '', this.label(scope))}]`;
    }
    return [text, vars];
  }

  /** A rule that is not a function. */
  #rule0(wanted?: Kind): Declared | undefined {
    const rules = this.visible.filter(({ kind }) => kind !== 'function' && (wanted === undefined || kind === wanted));
    return rules.length > 0 ? this.one(rules) : undefined;
  }

  #nameOf(rule: Declared): string {
    if (rule.package === this.package && this.chance(50)) return rule.name;
    return rule.package === 'e' && this.package === 't' && this.chance(30) ? `pkg_e.${rule.name}` : `data.${rule.package}.${rule.name}`;
  }

  #modifiers(scope: readonly string[]): string {
    const rule = this.visible.length > 0 ? this.one(this.visible) : undefined;
    const choice = [...targets, ...replaceable.slice(0, 4)];
    if (this.package === 't') choice.push('data.a.z', 'data.a', 'data.e.k', 'data.a');
    if (rule !== undefined) {
      const name = `data.${rule.package}.${rule.name}`;
      choice.push(...Array(6).fill(name), `${name}.a`, `${name}[1]`, `${name}["b"].a`);
    }
    return this.times(1 + this.below(2), () => {
      const target = this.one(choice);
      const isRule = rule?.kind === 'function' && target === `data.${rule.package}.${rule.name}`;
      const isFunction = isRule || replaceable.includes(target);
      const wanted = isRule ? rule.arity : 1;
      const mocks = this.visible
        .filter(({ kind, arity }) => kind === 'function' && arity === wanted)
        .map((mock) => `data.${mock.package}.${mock.name}`);
      if (wanted === 1) mocks.push(...replaceable);
      if (isFunction && mocks.length > 0 && this.chance(60)) return ` with ${target} as ${this.one(mocks)}`;
      return ` with ${target} as ${this.bound(scope, 1)}`;
    }).join('');
  }

  /** A term that can be iterated over as far as its type is known. */
  #collection(scope: readonly string[], depth: number): string {
    const term = this.chance(30) ? this.one(collections) : this.bound(scope, depth);
    return /^[[{]|^(input|data)/.test(term) || scope.includes(term) ? term : `[${term}]`;
  }

  protected constant(): string {
    return this.one(constants);
  }

  /** A term that may have several values. */
  #term(scope: readonly string[], depth: number): string {
    if (!this.chance(25)) return this.bound(scope, depth);
    return this.#openRef(scope)[0].replace(/\bv\d+\b/g, (name) => (scope.includes(name) ? name : '_'));
  }

  /** A term without new variables. */
  protected bound(scope: readonly string[], depth: number): string {
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
        return this.constant();
      case 3:
        return scope.length > 0 ? this.one(scope) : this.constant();
      case 5:
        return `[${this.bound(scope, inner)}, ${this.bound(scope, inner)}]`;
      case 6:
        return `{${this.bound(scope, inner)}, ${this.bound(scope, inner)}}`;
      case 7:
        return `{"a": ${this.bound(scope, inner)}, ${this.#objectKey(scope)}: ${this.bound(scope, inner)}}`;
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
          `object.get(${this.bound(scope, 0)}, ${this.bound(scope, 0)}, ${this.bound(scope, 0)})`,
          `(${this.bound(scope, 0)} ${this.one(['+', '-', '*', '==', '<'])} ${this.bound(scope, inner)})`,
          `({${this.bound(scope, 0)}} ${this.one(['|', '&', '-'])} {${this.bound(scope, inner)}})`,
          `[${this.bound(scope, inner)}, ${this.bound(scope, 0)}][${this.bound(scope, 0)}]`,
        ]);
      default: {
        if (this.visible.length === 0) return this.constant();
        const rule = this.one(this.visible);
        const path = this.#nameOf(rule);
        if (rule.kind === 'function') return `${path}(${this.args(rule.arity, scope)})`;
        return this.chance(40) ? `${path}[${this.bound(scope, 0)}]` : path;
      }
    }
  }

  /** Mostly a key other than "a". */
  #objectKey(scope: readonly string[]): string {
    return this.chance(80) ? '"b"' : this.one(['"a"', ...scope]);
  }

  #templatePart(scope: readonly string[], depth: number): string {
    const part = this.bound(scope, depth);
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
          : `${hidden} := ${this.bound(
              scope.filter((name) => name !== hidden),
              1,
            )}; `;
      const body = `${start}${this.body(own, Math.min(depth, 2))}`;
      const head = this.bound(own, 1);
      return this.one([
        `[${head} | ${body}]`,
        `{${head} | ${body}}`,
        `{${head}: ${this.chance(50) ? 'true' : this.bound(own, 0)} | ${body}}`,
      ]);
    });
  }

  /** Mostly the same, so that parts of keys are known. */
  protected label(scope: readonly string[]): string {
    return this.chance(75) ? this.one(['"a"', '"b"']) : this.bound(scope, 0);
  }
}
