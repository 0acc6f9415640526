/**
 * Random policies over documents of a known shape, weighted to what the lowering and the code
 * generator know better ways for: rules and functions that compare, joins, sets and objects that
 * are only asked for members, comprehensions that a built-in consumes. Most of them compile.
 */
import type { Row } from './choices.js';
import { type Declared, type Kind, type RuleKind, Scope } from './scope.js';
import { TermGenerator } from './terms.js';
import type { PolicyTexts } from './ways.js';

/** The queries ask for some rules, and for all of them. */
export function generateShapedPolicy(choices: readonly number[]): PolicyTexts {
  return new RuleGenerator(choices).policy();
}

/** A rule that uses sets and arrays of other rules, and the query for it. */
export function generateSetPolicy(choices: readonly number[]): PolicyTexts {
  return new RuleGenerator(choices).setPolicy();
}

const ruleKinds: readonly RuleKind[] = ['scalar', 'test', 'set', 'test', 'map', 'list', 'groups', 'rows', 'set'];

class RuleGenerator extends TermGenerator {
  setPolicy(): PolicyTexts {
    const kinds: readonly RuleKind[] = [this.chance(50) ? 'test' : 'set', this.one<RuleKind>(['set', 'rows', 'list']), 'set'];
    const declared = kinds.map((kind, i): Declared => ({ package: 't', name: `r${i}`, kind, params: undefined }));
    const ofData = this.#ofData(declared);
    const text = declared.map((rule, i) => {
      this.visible = declared.slice(i + 1, i + 2);
      return this.#text(rule, i >= ofData);
    });
    return { texts: [`package t\n${text.join('\n')}`], queries: ['result = data.t.r0'] };
  }

  policy(): PolicyTexts {
    const main = this.times(2 + this.below(5), (i) => this.#declared('t', `r${i}`, i > 0 && this.chance(45)));
    const libraries = ['a', 'b'].flatMap((name) =>
      ['p', 'q', 's'].filter(() => this.chance(25)).map((rule) => this.#declared(`lib.${name}`, rule, rule === 'q')),
    );
    const declared = [...main, ...libraries];
    const ofData = this.#ofData(declared);
    const texts = Map.groupBy(
      declared.map((rule, i) => {
        this.visible = declared.slice(i + 1);
        return { package: rule.package, text: this.#text(rule, i >= ofData) };
      }),
      (rule) => rule.package,
    );
    const asked = main.filter(({ params }) => params === undefined).slice(0, 2);
    return {
      texts: [...texts].map(([name, rules]) => `package ${name}\n${rules.map(({ text }) => text).join('\n')}`),
      queries: [...asked.map(({ name }) => `result = data.t.${name}`), 'result = data.t'],
    };
  }

  /** The first of the rules that read the data only. They read rules that are declared later. */
  #ofData(declared: readonly Declared[]): number {
    return this.chance(40) ? this.below(declared.length) : declared.length;
  }

  #text(rule: Declared, isOfData: boolean): string {
    this.package = rule.package;
    const text = withoutUnused(this.#rules(rule).join('\n'));
    return isOfData ? text.replaceAll(/\binput\b/g, 'data.d') : text;
  }

  #declared(where: string, name: string, isFunction: boolean): Declared {
    if (!isFunction) return { package: where, name, kind: this.one(ruleKinds), params: undefined };
    const kind = this.one<RuleKind>(['test', 'test', 'scalar', 'scalar', 'set', 'list', 'rows']);
    return {
      package: where,
      name,
      kind,
      params: this.times(this.chance(35) ? 2 : 1, () => this.one<Kind>(['row', 'scalar', 'row', 'any'])),
    };
  }

  #rules(rule: Declared): readonly string[] {
    const bodies = 1 + this.below(3);
    if (rule.params !== undefined) return this.#functions(rule, rule.params, bodies);
    const { name, kind } = rule;
    switch (kind) {
      case 'test':
        return [...this.#default(name), ...this.times(bodies, () => this.#else(`${name} if {`, new Scope(), 'true'))];
      case 'scalar':
        return [...this.#default(name), ...this.#scalarRules(name, bodies)];
      case 'list':
        return [`${name} := [${this.#headed((scope) => this.scalar(scope, 1))}]`];
      case 'set':
        return this.#partial(bodies, name, (scope) => ` contains ${this.scalar(scope, 1)}`);
      case 'map':
        return this.#partial(bodies, name, (scope) => `[${this.scalar(scope, 0)}] := ${this.chance(70) ? '"a"' : this.scalar(scope, 1)}`);
      case 'groups':
        return this.#partial(bodies, name, (scope) => `[${this.scalar(scope, 0)}] contains ${this.scalar(scope, 0)}`);
      case 'rows':
        return [`${name} := ${this.rows(new Scope(), 2)}`];
    }
  }

  #default(name: string): readonly string[] {
    return this.chance(45) ? [`default ${name} := ${this.constant()}`] : [];
  }

  /** Several bodies mostly have one value: they would conflict. */
  #scalarRules(name: string, count: number): readonly string[] {
    if (this.chance(20)) return [`${name} := ${this.scalar(new Scope(), 2)}`];
    const value = this.constant();
    return this.times(count, () => {
      const scope = new Scope();
      const body = this.body(scope, 2);
      const own = count > 1 && this.chance(85) ? value : this.scalar(scope, 1);
      return `${name} := ${own} if { ${body} }${this.#elses(new Scope())}`;
    });
  }

  #partial(count: number, name: string, head: (scope: Scope) => string): readonly string[] {
    return this.times(count, () => {
      const scope = new Scope();
      const body = this.body(scope, 2);
      return `${name}${head(scope)} if { ${body} }`;
    });
  }

  #headed(head: (scope: Scope) => string): string {
    const scope = new Scope();
    const body = this.body(scope, 2);
    return `${head(scope)} | ${body}`;
  }

  #functions(rule: Declared, params: readonly Kind[], count: number): readonly string[] {
    const blanks = params.map(() => '_').join(', ');
    const fallback = this.chance(25) ? [`default ${rule.name}(${blanks}) := ${this.constant()}`] : [];
    const value = this.constant();
    const bodies = this.times(count, () => {
      const scope = new Scope();
      const head = `${rule.name}(${params.map((kind) => this.#param(kind, scope)).join(', ')})`;
      switch (rule.kind) {
        case 'test':
          return this.#else(`${head} if {`, scope, 'true');
        case 'scalar': {
          const own = scope.inner();
          const body = this.body(own, 1);
          return `${head} := ${this.chance(75) ? value : this.scalar(own, 1)} if { ${body} }${this.#elses(scope)}`;
        }
        case 'rows':
          return `${head} := ${this.rows(scope, 1)}`;
        default:
          return `${head} := ${rule.kind === 'set' ? this.set(scope, 1) : this.collection(scope, 1)}`;
      }
    });
    return [...fallback, ...bodies, ...this.#memberBodies(rule, params, value)];
  }

  /** Bodies that ask whether an argument is in the set of a rule, and whether it is not. */
  #memberBodies({ name, kind }: Declared, [first, ...others]: readonly Kind[], value: string): readonly string[] {
    const sets = this.visible.filter((rule) => rule.kind === 'set' && rule.params === undefined);
    if (kind !== 'scalar' || first === 'row' || sets.length === 0 || this.chance(60)) return [];
    const set = this.one(sets);
    const argument = this.name();
    const head = `${name}(${[argument, ...others.map(() => '_')].join(', ')}) := `;
    const isMember = `${argument} in data.${set.package}.${set.name}`;
    return [`${head}${argument} if ${isMember}`, `${head}${value} if not ${isMember}`];
  }

  #param(kind: Kind, scope: Scope): string {
    const [a, b] = [this.name(), this.name()];
    const rows: Row<string>[] = [
      [
        7,
        () => {
          scope.add(a, kind);
          return a;
        },
      ],
    ];
    if (kind === 'scalar') rows.push([2, () => this.constant()]);
    if (kind === 'any')
      rows.push([
        3,
        () => {
          scope.add(a, 'scalar');
          scope.add(b, 'scalar');
          return this.one([`[${a}, ${b}]`, `{"id": ${a}, "kind": ${b}}`, `[[${a}, ${b}], _]`]);
        },
      ]);
    return this.weighted(rows);
  }

  /** A rule from behind its head on, with its `else`. */
  #else(head: string, scope: Scope, value: string): string {
    const own = scope.inner();
    return `${head} ${this.body(own, 2)} }${this.#elses(scope, value)}`;
  }

  #elses(scope: Scope, value?: string): string {
    if (!this.chance(25)) return '';
    const own = scope.inner();
    const body = this.body(own, 1, 2);
    return ` else := ${value ?? this.scalar(own, 0)} if { ${body} }${this.#elses(scope, value)}`;
  }
}

/** A variable must be used where it is declared. */
function withoutUnused(text: string): string {
  const names: readonly string[] = text.match(/\bv\d+\b/g) ?? [];
  return text.replace(/\bv\d+\b/g, (name) => (names.indexOf(name) === names.lastIndexOf(name) ? '_' : name));
}
