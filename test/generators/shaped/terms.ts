/** Random terms and bodies over documents of the known shape. */
import { type Row, TextChoices } from './choices.js';
import { numbers, texts } from './documents.js';
import type { Declared, Kind, RuleKind, Scope } from './scope.js';

const fields = ['id', 'kind', 'id', 'kind', 'kind', 'n', 'sub.k', 'tags[0]', 'on', 'constructor', 'missing', 'sub["__proto__"]'];
const libraries = ['"a"', '"b"', '"c"'];

export class TermGenerator extends TextChoices {
  /** The rules that a rule may read: those declared after it. */
  protected visible: readonly Declared[] = [];
  protected package = 't';

  /** Expressions; their variables are added to the scope. */
  body(scope: Scope, depth: number, most = 3): string {
    return this.times(1 + this.below(most), () => this.#expression(scope, depth)).join('; ');
  }

  #expression(scope: Scope, depth: number): string {
    const expression = this.#statement(scope, depth);
    return depth > 0 && this.chance(9) ? expression + this.#modifier(scope) : expression;
  }

  #statement(scope: Scope, depth: number): string {
    const inner = depth - 1;
    const simple: Row<string>[] = [
      [5, () => this.#comparison(scope, 0)],
      [3, () => this.#loop(scope, inner)],
      [3, () => `${this.scalar(scope, 0)} in ${this.collection(scope, inner)}`],
      [2, () => this.#ruleTest(scope, 0)],
    ];
    if (depth <= 0) return this.weighted(simple);
    return this.weighted<string>([
      ...simple,
      [6, () => this.#join(scope, depth)],
      [3, () => this.#comparison(scope, inner)],
      [3, () => this.#ruleTest(scope, inner)],
      [2, () => `not ${this.#test(scope, inner)}`],
      [3, () => this.#count(scope, inner)],
      [2, () => this.#every(scope, inner)],
      [3, () => this.#assignment(scope, inner)],
      [1, () => this.#membership(scope, inner)],
      [1, () => this.#openRef(scope)],
    ]);
  }

  /** An expression without new variables. */
  #test(scope: Scope, depth: number): string {
    return this.weighted<string>([
      [3, () => this.#ruleTest(scope, depth)],
      [3, () => this.#comparison(scope, depth)],
      [2, () => `${this.scalar(scope, 0)} in ${this.collection(scope, depth)}`],
      [1, () => `${this.#keyed(scope, 0)}[${this.scalar(scope, 0)}]`],
      [1, () => this.#count(scope, depth)],
    ]);
  }

  #comparison(scope: Scope, depth: number): string {
    return `${this.scalar(scope, depth)} ${this.one(['==', '==', '==', '!=', '<', '>=', '>', '<='])} ${this.scalar(scope, depth)}`;
  }

  /** A loop that looks for an element by a value, mostly one of its scope. */
  #join(scope: Scope, depth: number): string {
    // An index is made at the third scan: of a decision, or of data by all decisions.
    const around = this.chance(45) ? [this.#loop(scope, 0)] : [];
    const outer = scope.inner();
    const [key, row] = [this.name(), this.name()];
    const rows = this.chance(65) ? `${this.#root()}.rows` : this.rows(scope, depth - 1);
    const loop = `some ${this.chance(25) ? `${key}, ` : ''}${row} in ${rows}`;
    if (loop.includes(key)) scope.add(key, 'scalar');
    scope.add(row, 'row');
    const steps = this.times(this.below(3), () => this.#beforeComparison(row, scope, outer));
    const wanted = this.scalar(this.chance(85) ? outer : scope, this.chance(20) ? 1 : 0);
    steps.push(
      this.chance(15)
        ? `${row}.${this.one(fields)} in ${this.chance(70) ? `${this.row(outer)}.tags` : this.collection(outer, 0)}`
        : this.#elementComparison(row, this.one([wanted, wanted, ...scope.of('scalar').slice(0, 1)])),
    );
    if (this.chance(25)) steps.push(`${row}.${this.one(fields)} == ${this.scalar(outer, 0)}`);
    if (this.chance(40)) steps.push(this.#comparison(scope, 0));
    return [...around, loop, ...steps].join('; ');
  }

  /** What a round does before it compares: the same in each round or not, with errors or not. */
  #beforeComparison(row: string, scope: Scope, outer: Scope): string {
    const own = this.name();
    const called = this.#functionOf('row');
    const assigned = (term: string): string => {
      scope.add(own, 'scalar');
      return `${own} := ${term}`;
    };
    return this.weighted<string>([
      [2, () => `${row}.${this.one(fields)} ${this.one(['!=', '==', '>'])} ${this.scalar(outer, 0)}`],
      [3, () => assigned(this.scalar(outer, 1))],
      [2, () => assigned(this.scalar(scope, 1))],
      [1, () => assigned(`${row}.${this.one(fields)}`)],
      [1, () => `not ${row}.kind == ${this.scalar(outer, 0)}`],
      [2, () => (called === undefined ? `${row}.${this.one(fields)}` : this.#call(called, scope))],
      [1, () => this.#ruleTest(outer, 0)],
    ]);
  }

  #elementComparison(row: string, wanted: string): string {
    const tag = this.name();
    return this.weighted<string>([
      [6, () => `${row}.${this.one(fields)} == ${wanted}`],
      [1, () => `${wanted} == ${row}.${this.one(fields)}`],
      [2, () => `some ${tag} in ${row}.tags; ${tag} == ${wanted}`],
      [1, () => `${wanted} in ${row}.tags`],
      [2, () => `${row}.tags[_] == ${wanted}`],
      [1, () => `${row}[${this.one(['"id"', '"kind"', wanted])}] == ${wanted}`],
    ]);
  }

  #loop(scope: Scope, depth: number): string {
    const [k, v, i] = [this.name(), this.name(), this.name()];
    const [text, ...added] = this.weighted<readonly [string, ...(readonly [string, Kind])[]]>([
      [3, () => [`some ${v} in ${this.collection(scope, depth)}`, [v, 'scalar']]],
      [3, () => [`some ${v} in ${this.rows(scope, depth)}`, [v, 'row']]],
      [2, () => [`some ${k}, ${v} in ${this.#keyed(scope, depth)}`, [k, 'scalar'], [v, 'scalar']]],
      [1, () => [`some [${k}, ${v}] in ${this.#root()}.pairs`, [k, 'scalar'], [v, 'scalar']]],
      [1, () => [`some ${i}; ${v} := ${this.#root()}.names[${i}]`, [i, 'scalar'], [v, 'scalar']]],
      [1, () => [`some ${k}, ${v} in ${this.#root()}.groups; some ${i} in ${v}`, [k, 'scalar'], [i, 'scalar'], [v, 'any']]],
      [1, () => [`${v} := ${this.#root()}.rows[_]`, [v, 'row']]],
      [1, () => [`some {"id": ${k}, "kind": ${v}} in ${this.rows(scope, depth)}`, [k, 'scalar'], [v, 'scalar']]],
    ]);
    for (const [name, kind] of added) scope.add(name, kind);
    return text;
  }

  #every(scope: Scope, depth: number): string {
    const own = scope.inner();
    const v = this.name();
    const isRow = this.chance(50);
    const collection = isRow ? this.rows(scope, depth) : this.collection(scope, depth);
    own.add(v, isRow ? 'row' : 'scalar');
    return `every ${v} in ${collection} { ${this.body(own, Math.min(depth, 1), 2)} }`;
  }

  #assignment(scope: Scope, depth: number): string {
    const [a, b] = [this.name(), this.name()];
    const [text, ...added] = this.weighted<readonly [string, ...(readonly [string, Kind])[]]>([
      [4, () => [`${a} := ${this.scalar(scope, depth)}`, [a, 'scalar']]],
      [1, () => [`${a} := ${this.collection(scope, depth)}`, [a, 'any']]],
      [1, () => [`${a} := ${this.row(scope)}`, [a, 'row']]],
      [1, () => [`[${a}, ${b}] := [${this.scalar(scope, depth)}, ${this.scalar(scope, 0)}]`, [a, 'scalar'], [b, 'scalar']]],
      [1, () => [`[${a}, ${this.scalar(scope, 0)}] = ${this.#root()}.pairs[_]`, [a, 'scalar']]],
      [1, () => [`{"id": ${a}, "kind": ${this.scalar(scope, 0)}} = object.filter(${this.row(scope)}, ["id", "kind"])`, [a, 'scalar']]],
      [1, () => [`${a} := ${this.value(scope, depth)}`, [a, 'any']]],
    ]);
    for (const [name, kind] of added) scope.add(name, kind);
    return text;
  }

  #count(scope: Scope, depth: number): string {
    const [a, b] = [this.set(scope, depth), this.set(scope, depth)];
    const limit = this.one(['0', '0', '0', '1', '2']);
    return this.weighted<string>([
      [2, () => `count(${a} & ${b}) ${this.one(['>', '==', '!=', '>='])} ${limit}`],
      [2, () => `count(${a} - ${b}) ${this.one(['==', '>', '<'])} ${limit}`],
      [1, () => `count(${a} | ${b}) ${this.one(['==', '>', '<'])} ${limit}`],
      [1, () => `${a} == ${b}`],
      [1, () => `${a} & ${b} != set()`],
      [2, () => `count(${this.collection(scope, depth)}) ${this.one(['==', '>', '<', '>='])} ${limit}`],
    ]);
  }

  /** A key of a collection, ground or not. */
  #membership(scope: Scope, depth: number): string {
    const keyed = this.#keyed(scope, 0);
    return this.weighted<string>([
      [2, () => `${keyed}[${this.scalar(scope, 0)}]`],
      [1, () => `${keyed}[_] == ${this.scalar(scope, depth)}`],
      [1, () => `${this.scalar(scope, 0)}, ${this.scalar(scope, 0)} in ${keyed}`],
      [1, () => `[${this.scalar(scope, 0)}, ${this.scalar(scope, 0)}] in ${this.#root()}.pairs`],
      [1, () => `${this.row(scope)} in ${this.rows(scope, depth)}`],
    ]);
  }

  /** A ref that binds its variables. */
  #openRef(scope: Scope): string {
    const [k, i, v] = [this.name(), this.name(), this.name()];
    const rule = this.#rule('groups');
    const text = this.one([
      `${v} := ${this.#root()}.groups[${k}][${i}]`,
      `${v} := ${this.#root()}.byId[${k}].tags[${i}]`,
      `${v} := ${this.#root()}.byId[${k}].sub[${i}]`,
      ...(rule === undefined ? [] : [`${v} := ${this.#nameOf(rule)}[${k}][${i}]`]),
    ]);
    for (const name of [k, i, v]) scope.add(name, 'scalar');
    return text;
  }

  /** A rule or a function that is only tested, or compared. */
  #ruleTest(scope: Scope, depth: number): string {
    const rule = this.visible.length === 0 ? undefined : this.one(this.visible);
    if (rule === undefined) return `${this.row(scope)}.${this.one(fields)}`;
    const ref = this.#valueOf(rule, scope);
    switch (rule.kind) {
      case 'test':
        return ref;
      case 'scalar':
        return this.chance(70) ? `${ref} ${this.one(['==', '!='])} ${this.scalar(scope, depth)}` : ref;
      case 'list':
        return `${ref}[0] ${this.one(['==', '!='])} ${this.scalar(scope, depth)}`;
      case 'rows':
        return `count(${ref}) > ${this.one(['0', '1'])}`;
      case 'set':
        return rule.params === undefined && this.chance(50) ? `${ref}[${this.scalar(scope, 0)}]` : `${this.scalar(scope, 0)} in ${ref}`;
      case 'map':
        return `${ref}[${this.scalar(scope, 0)}]${this.chance(50) ? ` == ${this.scalar(scope, 0)}` : ''}`;
      case 'groups':
        return this.one([
          `${this.scalar(scope, 0)} in ${ref}[${this.scalar(scope, 0)}]`,
          `${ref}[${this.scalar(scope, 0)}][_] == ${this.scalar(scope, 0)}`,
        ]);
    }
  }

  #modifier(scope: Scope): string {
    const rules = this.visible;
    const targets: Row<readonly [string, string]>[] = [
      [
        2,
        () => [
          'input',
          this.weighted<string>([
            [1, () => '{}'],
            [2, () => 'data.d'],
            [1, () => `{"one": ${this.scalar(scope, 0)}}`],
          ]),
        ],
      ],
      [2, () => [this.one(['input.one', 'input.key', 'data.d.one', 'data.lib.c.p']), this.scalar(scope, 0)]],
      [2, () => [this.one(['input.rows', 'data.d.rows']), this.rows(scope, 0)]],
      [1, () => [this.one(['input.names', 'data.d.names']), this.collection(scope, 0)]],
      [1, () => ['data.d', 'input']],
      [1, () => ['count', this.one(['sum', '3', 'max'])]],
    ];
    if (rules.length > 0)
      targets.push([
        4,
        () => {
          const rule = this.one(rules);
          const mocks = rules.filter((one) => one !== rule && one.params !== undefined && one.params.length === rule.params?.length);
          const value = mocks.length > 0 && this.chance(50) ? `data.${mocks[0]!.package}.${mocks[0]!.name}` : this.value(scope, 0);
          return [`data.${rule.package}.${rule.name}`, value];
        },
      ]);
    const [target, value] = this.weighted(targets);
    return ` with ${target} as ${value}`;
  }

  #root(): string {
    return this.one(['input', 'data.d']);
  }

  row(scope: Scope): string {
    const known = scope.of('row');
    return this.weighted<string>([
      [1, () => `${this.#root()}.row`],
      [known.length * 4, () => this.one(known)],
      [1, () => `${this.#root()}.byId[${this.scalar(scope, 0)}]`],
      [1, () => `${this.#root()}.rows[${this.one(['0', '1', '8'])}]`],
    ]);
  }

  /** A term of one text, number, boolean or null. */
  scalar(scope: Scope, depth: number): string {
    const known = scope.of('scalar');
    const leaves: Row<string>[] = [
      [2, () => this.constant()],
      [4, () => (known.length > 0 ? this.one(known) : `${this.#root()}.one`)],
      [4, () => `${this.row(scope)}.${this.one(fields)}`],
      [2, () => `${this.#root()}.${this.one(['one', 'key', 'n', 'names[0]', 'flags.a'])}`],
    ];
    if (depth <= 0) return this.weighted(leaves);
    const inner = depth - 1;
    return this.weighted<string>([
      ...leaves,
      [3, () => this.#scalarRule(scope)],
      [2, () => `object.get(${this.row(scope)}, ${this.one(['"id"', '"missing"', '["sub", "k"]', '"tags"'])}, ${this.scalar(scope, 0)})`],
      [3, () => `${this.one(['count', 'sum', 'max', 'min', 'count'])}(${this.collection(scope, inner)})`],
      [2, () => `(${this.#number(scope, inner)} ${this.one(['+', '-', '*', '/', '%'])} ${this.#number(scope, 0)})`],
      [1, () => `(${this.#comparison(scope, 0)})`],
      [1, () => `(${this.scalar(scope, 0)} in ${this.collection(scope, inner)})`],
      [1, () => `${this.one(['lower', 'to_number', 'type_name', 'abs', 'count', 'is_string'])}(${this.scalar(scope, inner)})`],
      [1, () => `sprintf("%v:%s", [${this.scalar(scope, 0)}, ${this.scalar(scope, inner)}])`],
      [1, () => `split(${this.scalar(scope, 0)}, "-")[${this.one(['0', '1'])}]`],
      [1, () => `concat("-", [${this.scalar(scope, 0)}, ${this.scalar(scope, 0)}])`],
      [1, () => `${this.one(['startswith', 'endswith', 'contains'])}(${this.scalar(scope, 0)}, ${this.scalar(scope, 0)})`],
      [2, () => this.#dynamic(scope)],
      [1, () => `${this.collection(scope, 0)}[${this.one(['0', this.scalar(scope, 0)])}]`],
    ]);
  }

  #number(scope: Scope, depth: number): string {
    return this.weighted<string>([
      [1, () => this.one(numbers)],
      [3, () => `${this.row(scope)}.n`],
      [1, () => `count(${this.collection(scope, depth)})`],
      [1, () => this.scalar(scope, depth)],
    ]);
  }

  /** A ref whose path is known at run time only. */
  #dynamic(scope: Scope): string {
    const library = this.chance(50) ? this.one(libraries) : this.scalar(scope, 0);
    return this.weighted<string>([
      [2, () => `${this.#root()}[${this.one(['"one"', this.scalar(scope, 0)])}]`],
      [1, () => `${this.#root()}.groups[${this.scalar(scope, 0)}][${this.one(['0', '1'])}]`],
      [1, () => `${this.#root()}.byId[${this.scalar(scope, 0)}].${this.one(fields)}`],
      [this.package === 't' ? 4 : 0, () => `data.lib[${library}].${this.one(['p', 'q', 's'])}`],
      [1, () => `data.d[${this.one(['"rows"', '"names"', this.scalar(scope, 0)])}][${this.one(['0', this.scalar(scope, 0)])}]`],
    ]);
  }

  constant(): string {
    return this.weighted<string>([
      [5, () => this.one(texts)],
      [3, () => this.one(numbers)],
      [1, () => this.one(['true', 'false', 'null'])],
    ]);
  }

  /** A collection of rows. */
  rows(scope: Scope, depth: number): string {
    const leaves: Row<string>[] = [
      [4, () => `${this.#root()}.rows`],
      [2, () => `${this.#root()}.byId`],
    ];
    const rule = this.#rule('rows');
    if (rule !== undefined) leaves.push([4, () => this.#valueOf(rule, scope)]);
    if (depth <= 0) return this.weighted(leaves);
    return this.weighted<string>([
      ...leaves,
      [2, () => this.#rowsComprehension(scope, depth - 1)],
      [1, () => `object.get(${this.#root()}, "rows", [])`],
      [1, () => `array.concat(${this.#root()}.rows, ${this.#root()}.rows)`],
    ]);
  }

  #rowsComprehension(scope: Scope, depth: number): string {
    const own = scope.inner();
    const row = this.name();
    const rows = this.rows(scope, depth);
    own.add(row, 'row');
    const [open, close] = this.one([
      ['[', ']'],
      ['{', '}'],
    ] as const);
    return `${open}${row} | some ${row} in ${rows}; ${this.body(own, Math.min(depth, 1), 2)}${close}`;
  }

  /** A collection of scalars. */
  collection(scope: Scope, depth: number): string {
    const known = scope.of('any');
    const leaves: Row<string>[] = [
      [3, () => `${this.#root()}.names`],
      [2, () => `${this.row(scope)}.tags`],
      [1, () => `${this.#root()}.groups[${this.scalar(scope, 0)}]`],
      [known.length, () => this.one(known)],
      [1, () => `[${this.constant()}, ${this.constant()}]`],
      [1, () => `{${this.constant()}, ${this.scalar(scope, 0)}}`],
    ];
    for (const kind of ['set', 'list', 'map'] as const) {
      const rule = this.#rule(kind);
      if (rule !== undefined) leaves.push([3, () => this.#valueOf(rule, scope)]);
    }
    if (depth <= 0) return this.weighted(leaves);
    return this.weighted<string>([
      ...leaves,
      [5, () => this.#comprehension(scope, depth - 1)],
      [2, () => this.set(scope, depth - 1)],
      [1, () => `object.get(${this.row(scope)}, "tags", [])`],
      [1, () => `object.keys(${this.#root()}.byId)`],
      [1, () => `sort(${this.collection(scope, depth - 1)})`],
      [1, () => `split(${this.scalar(scope, 0)}, "-")`],
    ]);
  }

  set(scope: Scope, depth: number): string {
    const rule = this.#rule('set');
    const v = this.name();
    const leaves: Row<string>[] = [
      [2, () => `{${v} | some ${v} in ${this.collection(scope, depth - 1)}}`],
      [1, () => `{${this.constant()}, ${this.scalar(scope, 0)}}`],
      [1, () => `{${v} | ${v} := ${this.#root()}.rows[_].${this.one(fields)}}`],
    ];
    if (rule !== undefined) leaves.push([4, () => this.#valueOf(rule, scope)]);
    if (depth <= 0) return this.weighted(leaves);
    return this.weighted<string>([
      ...leaves,
      [2, () => `{${this.#inside(scope, depth - 1, (own) => this.scalar(own, 0))}}`],
      [2, () => `(${this.set(scope, depth - 1)} ${this.one(['|', '&', '-'])} ${this.set(scope, depth - 1)})`],
    ]);
  }

  #comprehension(scope: Scope, depth: number): string {
    return this.weighted<string>([
      [3, () => `[${this.#inside(scope, depth, (own) => this.scalar(own, 0))}]`],
      [2, () => `{${this.#inside(scope, depth, (own) => this.scalar(own, 0))}}`],
      [
        1,
        () =>
          `{${this.#inside(scope, depth, (own) => `${this.scalar(own, 0)}: ${this.chance(60) ? this.constant() : this.scalar(own, 0)}`)}}`,
      ],
    ]);
  }

  /** The head and body of a comprehension. */
  #inside(scope: Scope, depth: number, head: (own: Scope) => string): string {
    const own = scope.inner();
    const body = this.body(own, Math.min(depth, 1), 2);
    return `${head(own)} | ${body}`;
  }

  /** A collection with keys. */
  #keyed(scope: Scope, depth: number): string {
    const map = this.#rule('map');
    const leaves: Row<string>[] = [
      [2, () => `${this.#root()}.${this.one(['names', 'flags', 'row.sub', 'row.tags'])}`],
      [1, () => `${this.#root()}.groups[${this.scalar(scope, 0)}]`],
    ];
    if (map !== undefined) leaves.push([4, () => this.#valueOf(map, scope)]);
    if (depth > 0) leaves.push([1, () => this.collection(scope, depth - 1)]);
    return this.weighted(leaves);
  }

  /** Any value. */
  value(scope: Scope, depth: number): string {
    return this.weighted<string>([
      [4, () => this.scalar(scope, depth)],
      [1, () => this.collection(scope, depth)],
      [1, () => this.row(scope)],
      [1, () => `[${this.scalar(scope, depth)}, ${this.scalar(scope, 0)}]`],
      [1, () => `{"a": ${this.scalar(scope, 0)}, ${this.scalar(scope, 0)}: ${this.scalar(scope, depth)}}`],
      [1, () => `{[${this.scalar(scope, 0)}, ${this.scalar(scope, 0)}]: ${this.scalar(scope, 0)}}`],
    ]);
  }

  #rule(kind: RuleKind): Declared | undefined {
    const rules = this.visible.filter((rule) => rule.kind === kind);
    return rules.length > 0 ? this.one(rules) : undefined;
  }

  #functionOf(kind: Kind): Declared | undefined {
    const rules = this.visible.filter(({ params }) => params?.[0] === kind);
    return rules.length > 0 ? this.one(rules) : undefined;
  }

  #scalarRule(scope: Scope): string {
    const rule = this.#rule(this.one(['scalar', 'scalar', 'test']));
    return rule === undefined ? this.constant() : this.#valueOf(rule, scope);
  }

  /** A rule, or a function with arguments. */
  #valueOf(rule: Declared, scope: Scope): string {
    return rule.params === undefined ? this.#nameOf(rule) : this.#call(rule, scope);
  }

  #call(rule: Declared, scope: Scope): string {
    const args = rule.params!.map((kind) =>
      kind === 'row' ? this.row(scope) : kind === 'scalar' ? this.scalar(scope, 0) : this.value(scope, 0),
    );
    return `${this.#nameOf(rule)}(${args.join(', ')})`;
  }

  #nameOf(rule: Declared): string {
    return rule.package === this.package ? rule.name : `data.${rule.package}.${rule.name}`;
  }
}
