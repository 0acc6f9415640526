/** Random policies that use the language's features beside one another. Most compile. The same seed makes the same policy. */

/** A text, kept by package: rules may stand in any order and in any number of modules. */
export interface GeneratedPolicy {
  readonly rules: readonly { readonly package: string; readonly text: string }[];
  readonly query: string;
}

type Kind = 'complete' | 'set' | 'object' | 'function' | 'deep';

interface Declared {
  readonly package: string;
  readonly name: string;
  readonly kind: Kind;
  readonly arity: number;
}

/** What a package's rules read is in the same package or in one after it, so that nothing is recursive. */
const packages = ['t', 'e', 'a.c', 'a.b', 'a'];

export class PolicyGenerator {
  #state: number;
  #fresh = 0;
  #package = 't';
  /** What a rule may read: rules declared after it. */
  #visible: readonly Declared[] = [];

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  #chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  policy(): GeneratedPolicy {
    const declared: Declared[] = Array.from({ length: 3 + this.below(5) }, (_, i) => {
      const kind = this.#one<Kind>(['complete', 'complete', 'set', 'object', 'function', 'function', 'deep']);
      return { package: i === 0 ? 't' : this.#one(packages), name: `${this.#one(['p', 'q', 'r'])}${i}`, kind, arity: 1 + this.below(2) };
    });
    declared.sort((a, b) => packages.indexOf(a.package) - packages.indexOf(b.package));
    const rules = declared.flatMap((rule, i) => {
      this.#package = rule.package;
      this.#visible = declared.slice(i + 1);
      return Array.from({ length: 1 + this.below(2) }, (_, n) => ({ package: rule.package, text: this.#rule(rule, n) }));
    });
    this.#visible = declared;
    const asked = declared[0]!;
    const ref = asked.kind === 'function' ? `data.${asked.package}.${asked.name}(${this.#args(asked.arity, [])})` : 'data';
    return { rules, query: `x = ${this.#chance(50) ? ref : 'data'}` };
  }

  #rule({ name, kind, arity }: Declared, index: number): string {
    this.#fresh = 0;
    const params = kind === 'function' ? Array.from({ length: arity }, () => this.#parameter()) : [];
    const scope = params.flatMap(({ vars }) => vars);
    const body = this.#body(scope, 1 + this.below(3));
    const value = (): string => this.#bound(scope, 2);
    const constant = this.below(2) === 0 ? '"k"' : value();
    switch (kind) {
      case 'complete': {
        const start = index > 0 && this.#chance(30) ? `default ${name} := ${this.#constant()}\n` : '';
        const otherwise = this.#chance(25) ? ` else := ${this.#bound([], 1)} if { ${this.#body([], 2)} }` : '';
        return `${start}${name} := ${this.#chance(60) ? this.#constant() : value()} if { ${body} }${otherwise}`;
      }
      case 'set':
        return `${name} contains ${value()} if { ${body} }`;
      case 'object':
        return `${name}[${value()}] := ${constant} if { ${body} }`;
      case 'deep':
        return this.#chance(50)
          ? `${name}[${value()}][${value()}] := ${constant} if { ${body} }`
          : `${name}.m[${value()}] contains ${value()} if { ${body} }`;
      case 'function':
        return `${name}(${params.map(({ text }) => text).join(', ')}) := ${value()} if { ${body} }`;
    }
  }

  #parameter(): { text: string; vars: string[] } {
    const v = this.#name();
    switch (this.below(6)) {
      case 0:
        return { text: `[${v}, _]`, vars: [v] };
      case 1:
        return { text: `{"a": ${v}}`, vars: [v] };
      case 2:
        return { text: this.#constant(), vars: [] };
      default:
        return { text: v, vars: [v] };
    }
  }

  #args(arity: number, scope: readonly string[]): string {
    return Array.from({ length: arity }, () => this.#bound(scope, 1)).join(', ');
  }

  #name(): string {
    return `v${this.#fresh++}`;
  }

  /** Expressions; what they bind is added to the scope. */
  #body(scope: string[], depth: number): string {
    return Array.from({ length: 1 + this.below(depth + 1) }, () => this.#expression(scope, depth)).join('; ');
  }

  #expression(scope: string[], depth: number): string {
    const modified = depth > 0 && this.#chance(20) ? this.#modifiers(scope) : '';
    const inner = depth - 1;
    switch (this.below(depth > 0 ? 14 : 4)) {
      case 0:
        return `${this.#bound(scope, inner)} ${this.#one(['==', '!=', '!=', '<', '>='])} ${this.#bound(scope, inner)}${modified}`;
      case 1:
      case 2:
      case 4: {
        const term = this.#term(scope, inner);
        const v = this.#name();
        scope.push(v);
        return `${v} := ${term}${modified}`;
      }
      case 3:
        return `${this.#term(scope, inner)}${modified}`;
      case 5: {
        const term = this.#collection(scope, inner);
        const v = this.#name();
        scope.push(v);
        return `some ${v} in ${term}${modified}`;
      }
      case 6: {
        const term = this.#collection(scope, inner);
        const [k, v] = [this.#name(), this.#name()];
        scope.push(k, v);
        return `some ${k}, ${v} in ${term}${modified}`;
      }
      case 7:
        return `not ${this.#bound(scope, inner)}${this.#chance(50) ? ` == ${this.#bound(scope, inner)}` : ''}${modified}`;
      case 8: {
        const v = this.#name();
        return `every ${v} in ${this.#collection(scope, inner)} { ${v} != ${this.#bound([...scope, v], 1)}; ${this.#body([...scope, v], Math.min(inner, 1))} }${modified}`;
      }
      case 9: {
        const [a, b] = [this.#name(), this.#name()];
        const text = `[${a}, ${this.#chance(50) ? this.#bound(scope, 0) : b}] = ${this.#chance(60) ? this.#one(['input.a', 'data.d.b[_]', 'data.d.a.b', 'input.a[_]', ...scope]) : `[${this.#bound(scope, 0)}, ${this.#bound(scope, 0)}]`}`;
        scope.push(a);
        if (text.includes(b)) scope.push(b);
        return `${text}${modified}`;
      }
      case 10:
        return `${this.#bound(scope, inner)} in ${this.#bound(scope, inner)}${modified}`;
      default: {
        const [ref, vars] = this.#openRef(scope);
        const v = vars.length > 0 && this.#chance(20) ? this.#one(vars) : this.#name();
        scope.push(...vars, v);
        if (this.#chance(10)) return `[${v}, ${this.#one([...vars, '_'])}] = ${ref}${modified}`;
        return this.#chance(30) ? `${ref} = ${v}${modified}` : `${v} = ${ref}${modified}`;
      }
    }
  }

  /** A ref with variables of its own, and those. */
  #openRef(scope: readonly string[]): readonly [string, readonly string[]] {
    const vars: string[] = [];
    const rule = this.#visible.length > 0 ? this.#one(this.#visible) : undefined;
    const starts = ['input', 'input.a', 'data.d', 'data.d.a'];
    if (this.#package === 't') starts.push('data.e');
    if (this.#package === 't' || this.#package === 'e')
      starts.push('data.a', 'data.a', 'data.a.b', 'data.a.c', `data.a[${this.#bound(scope, 0)}]`);
    if (rule !== undefined && rule.kind !== 'function')
      starts.push(`data.${rule.package}.${rule.name}`, `data.${rule.package}.${rule.name}`);
    let text = this.#one(starts);
    for (let i = 1 + this.below(3); i > 0; i--) {
      const pick = this.below(8);
      if (pick < 2) text += '[_]';
      else if (pick < 5) {
        const v = vars.length > 0 && this.#chance(25) ? this.#one(vars) : this.#name();
        if (!vars.includes(v)) vars.push(v);
        text += `[${v}]`;
      } else if (pick < 6) text += `[${this.#bound(scope, 0)}]`;
      else if (pick < 7 && rule !== undefined && rule.kind !== 'function') text += `.${rule.name}`;
      else text += `.${this.#one(['a', 'b', 'm', 'k'])}`;
    }
    return [text, vars];
  }

  #modifiers(scope: readonly string[]): string {
    const rule = this.#visible.length > 0 ? this.#one(this.#visible) : undefined;
    const targets = ['input', 'input.a', 'input.a.b', 'data.d', 'data.d.a'];
    if (this.#package === 't') targets.push('data.a.z', 'data.a', 'data.e.k');
    if (this.#package === 't') targets.push('data.a.z', 'data.a', 'data.e.k');
    if (rule?.kind === 'function') targets.push(...Array(5).fill(`data.${rule.package}.${rule.name}`));
    else if (rule !== undefined) targets.push(...Array(5).fill(`data.${rule.package}.${rule.name}`));
    targets.push('count', 'sum', 'count');
    return Array.from({ length: 1 + this.below(2) }, () => {
      const target = this.#one(targets);
      const isRule = rule?.kind === 'function' && target === `data.${rule.package}.${rule.name}`;
      const isFunction = isRule || target === 'count' || target === 'sum';
      const wanted = isRule ? rule.arity : 1;
      const mocks = this.#visible
        .filter(({ kind, arity }) => kind === 'function' && arity === wanted)
        .map((mock) => `data.${mock.package}.${mock.name}`);
      if (isFunction && mocks.length > 0 && this.#chance(60)) return ` with ${target} as ${this.#one(mocks)}`;
      return ` with ${target} as ${this.#bound(scope, 1)}`;
    }).join('');
  }

  /** What can be run over, for all that the types say. */
  #collection(scope: readonly string[], depth: number): string {
    const term = this.#bound(scope, depth);
    return /^[[{]|^(input|data)/.test(term) || scope.includes(term) ? term : `[${term}]`;
  }

  #constant(): string {
    return this.#one(['0', '1', '2', '"a"', '"b"', 'true', 'false', 'null', '[1, 2]', '{"a": 1}', '{1, "a"}', '[]']);
  }

  /** A term that may have several values. */
  #term(scope: readonly string[], depth: number): string {
    return this.#chance(25)
      ? this.#openRef(scope)[0].replace(/\[v\d+\]/g, (key) => (scope.includes(key.slice(1, -1)) ? key : '[_]'))
      : this.#bound(scope, depth);
  }

  /** A term without variables of its own. */
  #bound(scope: readonly string[], depth: number): string {
    if (scope.length > 0 && this.#chance(40)) return this.#one(scope);
    const inner = depth - 1;
    switch (this.below(depth > 0 ? 14 : 4)) {
      case 0:
      case 4:
        return this.#one(['input', 'input.a', 'input.b', 'input.a.b', 'data.d', 'data.d.a', 'data.d.b[0]']);
      case 1:
      case 2:
        return this.#constant();
      case 3:
        return scope.length > 0 ? this.#one(scope) : this.#constant();
      case 5:
        return `[${this.#bound(scope, inner)}, ${this.#bound(scope, inner)}]`;
      case 6:
        return `{${this.#bound(scope, inner)}, ${this.#bound(scope, inner)}}`;
      case 7:
        return `{"a": ${this.#bound(scope, inner)}, "b": ${this.#bound(scope, inner)}}`;
      case 8:
        return `${this.#one(['count', 'sum', 'count', 'is_array', 'type_name'])}(${this.#collection(scope, inner)})`;
      case 9: {
        const own = [...scope];
        const body = this.#body(own, Math.min(inner, 2));
        const head = this.#bound(own, 0);
        return this.#one([`[${head} | ${body}]`, `{${head} | ${body}}`, `{${head}: true | ${body}}`]);
      }
      default: {
        if (this.#visible.length === 0) return this.#constant();
        const rule = this.#one(this.#visible);
        const path = `data.${rule.package}.${rule.name}`;
        if (rule.kind === 'function') return `${path}(${this.#args(rule.arity, scope)})`;
        return this.#chance(30) ? `${path}[${this.#bound(scope, 0)}]` : path;
      }
    }
  }
}
