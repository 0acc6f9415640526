/** Random JSON Schemas with samples, valid ones and mutations of these. */
import type { Choices } from './choices.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonSchema = { readonly [keyword: string]: unknown };

/** Draft 7 is the newest that Rego's built-ins take. */
export type SchemaDraft = 7 | 2020;

export interface SchemaWithSamples {
  readonly draft: SchemaDraft;
  readonly schema: JsonSchema;
  readonly samples: readonly Json[];
}

/**
 * `exact`: keywords of which a type says all. `more`: others too, of which a type says less, so
 * that it admits values that are not valid.
 */
export type SchemaKeywords = 'exact' | 'more';

/** A schema with samples, about half of them valid. */
export function randomSchema(choices: Choices, keywords: SchemaKeywords): SchemaWithSamples {
  const maker = new SchemaMaker(choices, keywords);
  const { schema, sample } = maker.make(3);
  const samples = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? sample() : mutated(sample(), choices)));
  const whole = { ...(typeof schema === 'object' ? schema : { allOf: [schema] }), ...maker.definitions() };
  const draft = choices.one([7, 2020] as const);
  return { draft, schema: draft === 2020 ? whole : inDraft7(whole), samples };
}

/** A schema of 2020 in the words of draft 7. */
function inDraft7(schema: JsonSchema): JsonSchema {
  const { prefixItems, items, $defs, $anchor, $ref, dependentRequired, ...rest } = schema;
  const isTuple = prefixItems !== undefined;
  const older = {
    ...rest,
    ...($anchor !== undefined && { $id: `#${$anchor as string}` }),
    ...($ref !== undefined && { $ref: ($ref as string).replace('#/$defs/', '#/definitions/') }),
    ...($defs !== undefined && { definitions: $defs }),
    ...(isTuple && { items: prefixItems }),
    ...(items !== undefined && { [isTuple ? 'additionalItems' : 'items']: items }),
    ...(dependentRequired !== undefined && { dependencies: dependentRequired }),
  };
  return Object.fromEntries(
    Object.entries(older).map(([keyword, value]) => {
      if (['properties', 'patternProperties', 'definitions'].includes(keyword)) {
        const named = Object.entries(value as JsonSchema).map(([name, inner]) => [name, inSubschema(inner)]);
        return [keyword, Object.fromEntries(named)];
      }
      return [keyword, ['const', 'enum', 'dependencies'].includes(keyword) ? value : inSubschema(value)];
    }),
  );
}

function inSubschema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSubschema);
  return typeof value === 'object' && value !== null ? inDraft7(value as JsonSchema) : value;
}

interface Made {
  readonly schema: JsonSchema | boolean;
  /** A valid value. */
  readonly sample: () => Json;
}

const names = ['a', 'b', 'the-c', 'd e'];
const texts = ['', 'x', 'read', "it's", '"', 'ü\n'];
const scalars: readonly Json[] = [null, true, false, 0, -1, 2.5, ...texts];

class SchemaMaker {
  readonly #choices: Choices;
  readonly #keywords: SchemaKeywords;
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(choices: Choices, keywords: SchemaKeywords) {
    this.#choices = choices;
    this.#keywords = keywords;
  }

  definitions(): JsonSchema {
    return Object.keys(this.#definitions).length === 0 ? {} : { $defs: this.#definitions };
  }

  make(depth: number): Made {
    if (this.#keywords === 'more' && this.#choices.chance(30)) return this.#restricted(depth);
    if (depth === 0 || this.#choices.chance(30)) return this.#choices.one([() => this.#scalar(), () => this.#values()])();
    return this.#choices.one([
      () => this.#list(depth),
      () => this.#tuple(depth),
      () => this.#closed(depth),
      () => this.#closed(depth),
      () => this.#open(depth),
      () => this.#map(depth),
      () => this.#alternatives(depth),
      () => this.#variants(depth),
      () => this.#tree(),
      () => this.#forest(),
      () => this.#defined(depth),
      () => this.#together(depth),
      () => this.#parts(),
      () => this.#over(depth),
      () => this.#optional(depth),
      () => this.#patterned(depth),
      () => this.#without(depth),
      () => this.#any(),
    ])();
  }

  #scalar(): Made {
    return this.#choices.one<Made>([
      { schema: { type: 'string' }, sample: () => this.#choices.one(texts) },
      { schema: { type: 'number' }, sample: () => this.#choices.one([0, -3, 1.5, this.#choices.below(100)]) },
      { schema: { type: 'boolean' }, sample: () => this.#choices.one([true, false]) },
      { schema: { type: 'null' }, sample: () => null },
      { schema: { type: ['string', 'null'] }, sample: () => this.#choices.one([null, ...texts]) },
      { schema: { type: ['number', 'boolean'] }, sample: () => this.#choices.one([1, true]) },
    ]);
  }

  #values(): Made {
    const values = [this.#choices.one(scalars), this.#choices.one(scalars), ['a', this.#choices.one([1, 2])], { kind: 'b' }].slice(
      0,
      1 + this.#choices.below(4),
    ) as Json[];
    const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    if (distinct.length === 1) return { schema: { const: distinct[0] }, sample: () => distinct[0]! };
    return { schema: { enum: distinct }, sample: () => this.#choices.one(distinct) };
  }

  #list(depth: number): Made {
    const inner = this.make(depth - 1);
    return { schema: { type: 'array', items: inner.schema }, sample: () => Array.from({ length: this.#choices.below(3) }, inner.sample) };
  }

  #tuple(depth: number): Made {
    const first = Array.from({ length: 1 + this.#choices.below(3) }, () => this.make(depth - 1));
    const rest = this.#choices.chance(50) ? this.make(depth - 1) : undefined;
    const most = this.#choices.chance(20) ? 1 + this.#choices.below(first.length) : undefined;
    const least = this.#choices.below((most ?? first.length) + 1);
    const limits = { minItems: least, ...(most !== undefined && { maxItems: most }) };
    return {
      schema: { type: 'array', prefixItems: first.map(({ schema }) => schema), items: rest?.schema ?? false, ...limits },
      sample: () => {
        const length = least + this.#choices.below((most ?? first.length) - least + 1);
        const elements = first.slice(0, length).map(({ sample }) => sample());
        return rest !== undefined && most === undefined && length === first.length
          ? [...elements, ...Array.from({ length: this.#choices.below(2) }, rest.sample)]
          : elements;
      },
    };
  }

  #members(depth: number, more: readonly string[] = []): { readonly parts: JsonSchema; readonly sample: () => { [key: string]: Json } } {
    const members = names
      .slice(0, this.#choices.below(names.length + 1))
      .map((name) => ({ name, ...this.make(depth - 1), required: this.#choices.chance(50) }));
    const required = [...members.filter((member) => member.required).map(({ name }) => name), ...more];
    return {
      parts: {
        type: 'object',
        properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
        ...(required.length > 0 && { required }),
      },
      sample: () => {
        const present = members.filter((member) => member.required || this.#choices.chance(50));
        return Object.fromEntries(present.map(({ name, sample }) => [name, sample()]));
      },
    };
  }

  #closed(depth: number): Made {
    const { parts, sample } = this.#members(depth);
    return { schema: { ...parts, additionalProperties: false }, sample };
  }

  #open(depth: number): Made {
    const { parts, sample } = this.#members(depth, this.#choices.chance(30) ? ['more'] : []);
    const needsMore = (parts.required as readonly string[] | undefined)?.includes('more') === true;
    return { schema: parts, sample: () => ({ ...sample(), ...(needsMore && { more: this.#choices.one(scalars) }) }) };
  }

  #map(depth: number): Made {
    const inner = this.make(depth - 1);
    const required = names.slice(0, this.#choices.below(2));
    return {
      schema: { type: 'object', additionalProperties: inner.schema, ...(required.length > 0 && { required }) },
      sample: () => Object.fromEntries(names.slice(0, required.length + this.#choices.below(3)).map((name) => [name, inner.sample()])),
    };
  }

  /** Alternatives of which one at most is an object, or one at most a list. */
  #alternatives(depth: number): Made {
    const all = [this.#scalar(), this.#values(), this.#list(depth), this.#closed(depth)];
    const first = this.#choices.below(all.length - 1);
    const made = all.slice(first, first + 2);
    return { schema: { anyOf: made.map(({ schema }) => schema) }, sample: () => this.#choices.one(made).sample() };
  }

  /** Objects that a member tells apart. */
  #variants(depth: number): Made {
    const made = ['one', 'two'].map((kind): Made => {
      const { parts, sample } = this.#members(depth, ['kind']);
      const properties = { ...(parts.properties as object), kind: { const: kind } };
      return { schema: { ...parts, properties, additionalProperties: false }, sample: () => ({ kind, ...sample() }) };
    });
    return { schema: { oneOf: made.map(({ schema }) => schema) }, sample: () => this.#choices.one(made).sample() };
  }

  #tree(): Made {
    const properties = { next: { $ref: '#/$defs/tree' }, value: { type: 'number' } };
    this.#definitions.tree = { type: 'object', properties, required: ['value'], additionalProperties: false };
    const sample = (): Json => ({ value: this.#choices.below(5), ...(this.#choices.chance(40) && { next: sample() }) });
    return { schema: { $ref: '#/$defs/tree' }, sample };
  }

  /** Two definitions that refer to each other, one by an anchor. */
  #forest(): Made {
    this.#definitions['for/est~'] = { type: 'array', items: { $ref: '#trunk' } };
    const branches = { anyOf: [{ type: 'null' }, { $ref: '#/$defs/for~1est~0' }] };
    this.#definitions['50% trunk'] = { $anchor: 'trunk', type: 'object', properties: { branches }, additionalProperties: false };
    const forest = (depth: number): Json => Array.from({ length: this.#choices.below(3) }, () => trunk(depth));
    const trunk = (depth: number): Json =>
      this.#choices.one<Json>([{}, { branches: null }, { branches: depth > 0 ? forest(depth - 1) : [] }]);
    return this.#choices.one<Made>([
      { schema: { $ref: '#/$defs/for~1est~0' }, sample: () => forest(2) },
      { schema: { $ref: '#/$defs/50%25%20trunk' }, sample: () => trunk(2) },
    ]);
  }

  /** A definition of any schema; others may have the name. */
  #defined(depth: number): Made {
    const { schema, sample } = this.make(depth - 1);
    const name = `d${Object.keys(this.#definitions).length}`;
    this.#definitions[name] = typeof schema === 'object' ? schema : { allOf: [schema] };
    return { schema: { $ref: `#/$defs/${name}` }, sample };
  }

  /** Open objects that must fit several schemas. */
  #together(depth: number): Made {
    const own = this.#open(depth);
    const other = { type: 'object', properties: { z: { type: 'string' } }, required: ['z'] };
    this.#definitions.base = { type: 'object', properties: { y: { enum: [1, 'y', null] } } };
    const y = this.#choices.one([{}, { y: 1 }, { y: null }]);
    const more = this.#choices.chance(50) ? [{ $ref: '#/$defs/base' }] : [];
    return { schema: { allOf: [own.schema, other, ...more] }, sample: () => ({ ...(own.sample() as object), ...y, z: 'z' }) };
  }

  /** Values and lists of what two schemas have in common. */
  #parts(): Made {
    const types = [{ type: ['string', 'number'] }, { type: ['number', 'null'] }];
    return this.#choices.one<Made>([
      { schema: { allOf: types }, sample: () => 2 },
      { schema: { allOf: [{ enum: ['a', 'b', 1] }, { enum: ['b', 1, null] }] }, sample: () => this.#choices.one(['b', 1]) },
      { schema: { allOf: [{ type: 'string' }, { anyOf: [{ const: 'a' }, { type: 'null' }] }] }, sample: () => 'a' },
      { schema: { allOf: types.map((items) => ({ type: 'array', items })) }, sample: () => this.#choices.one([[], [1], [1, 2]]) },
      { schema: { type: ['string', 'null'], anyOf: types }, sample: () => this.#choices.one(['s', null]) },
      { schema: { type: 'string', enum: ['a', 1, null, ['a']] }, sample: () => 'a' },
    ]);
  }

  /** An open object with variants beside its own members. */
  #over(depth: number): Made {
    const { parts, sample } = this.#members(depth);
    const kinds = ['one', 'two'].map((kind) => ({
      type: 'object',
      properties: { kind: { const: kind }, [kind]: { type: 'number' } },
      required: ['kind'],
    }));
    return {
      schema: { ...parts, [this.#choices.one(['anyOf', 'oneOf'])]: kinds },
      sample: () => ({ ...sample(), ...this.#choices.one([{ kind: 'one', one: 1 }, { kind: 'two' }]) }),
    };
  }

  /** Of several types, some with keywords of their own. */
  #optional(depth: number): Made {
    const object = this.#closed(depth);
    const list = this.#list(depth);
    const made = this.#choices.one<Made>([
      { ...object, schema: { ...(object.schema as JsonSchema), type: ['object', 'null'] } },
      { ...list, schema: { ...(list.schema as JsonSchema), type: ['array', 'null', 'boolean'] } },
      { ...object, schema: { oneOf: [{ type: 'null' }, object.schema] } },
      { ...object, schema: { anyOf: [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, object.schema] } },
    ]);
    return { ...made, sample: () => (this.#choices.chance(30) ? null : made.sample()) };
  }

  /** A closed object whose other names begin in one way. */
  #patterned(depth: number): Made {
    const { parts, sample } = this.#members(depth);
    const inner = this.make(depth - 1);
    const patternProperties = { [this.#choices.one(['^x-', '^x-.*$'])]: inner.schema };
    return {
      schema: { ...parts, patternProperties, additionalProperties: false },
      sample: () => ({ ...sample(), ...(this.#choices.chance(60) && { 'x-1': inner.sample() }) }),
    };
  }

  /** What must not be, where a type can say it. */
  #without(depth: number): Made {
    const open = this.#open(depth);
    const absent = this.#choices.one([{ required: ['no'] }, { anyOf: [{ required: ['no'] }, { required: ['extra'] }] }]);
    return this.#choices.one<Made>([
      { schema: { not: { type: ['null', 'object'] } }, sample: () => this.#choices.one<Json>([1, 'a', true, [1]]) },
      { schema: { type: ['string', 'null', 'array'], not: { type: 'array' } }, sample: () => this.#choices.one(['a', null]) },
      { schema: { enum: ['a', 'b', 1, [2]], not: { enum: ['b', [2]] } }, sample: () => this.#choices.one(['a', 1]) },
      { schema: { type: 'string', enum: ['a', 'read'], not: { const: 'read' } }, sample: () => 'a' },
      { schema: { ...(open.schema as JsonSchema), not: absent }, sample: open.sample },
    ]);
  }

  #any(): Made {
    const sample = () => this.#choices.one<Json>([...scalars, [1, 'a'], { any: null }]);
    return this.#choices.one<Made>([
      { schema: true, sample },
      { schema: {}, sample },
      { schema: { type: 'array', items: false }, sample: () => [] },
      { schema: { enum: [[], {}, { a: [{}] }, ''] }, sample: () => this.#choices.one<Json>([[], {}, { a: [{}] }, '']) },
    ]);
  }

  /** Schemas that restrict more than a type can say. */
  #restricted(depth: number): Made {
    const inner = depth === 0 ? this.#scalar() : this.make(depth - 1);
    return this.#choices.one<() => Made>([
      () => ({ schema: { type: 'integer', minimum: 0, maximum: 9 }, sample: () => this.#choices.below(10) }),
      () => ({ schema: { type: 'string', pattern: '^x+$', minLength: 2 }, sample: () => this.#choices.one(['xx', 'xxx']) }),
      () => ({ schema: { type: 'array', items: inner.schema, minItems: 1, maxItems: 2 }, sample: () => [inner.sample()] }),
      () => ({ schema: { type: 'array', items: { type: 'number' }, uniqueItems: true }, sample: () => [1, 2] }),
      () => ({ schema: { type: 'string', not: { const: 'x' } }, sample: () => 'y' }),
      () => ({
        schema: { type: 'object', properties: { a: inner.schema }, additionalProperties: { type: 'number' } },
        sample: () => ({ a: inner.sample(), other: this.#choices.below(3) }),
      }),
      () => ({
        schema: { type: 'object', patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
        sample: () => ({ n_a: this.#choices.below(3) }),
      }),
      () => ({
        schema: {
          anyOf: ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: inner.schema }, additionalProperties: false })),
        },
        sample: () => this.#choices.one([{ a: inner.sample() }, { b: inner.sample() }, {}]),
      }),
      () => ({ schema: { type: 'object', minProperties: 1 }, sample: () => ({ any: this.#choices.one(scalars) }) }),
      () => ({
        schema: { type: 'object', properties: { a: inner.schema }, dependentRequired: { a: ['b'] } },
        sample: () => ({ a: inner.sample(), b: 1 }),
      }),
    ])();
  }
}

/** The value with one part changed: another value, or a member or element more or less. */
function mutated(value: Json, choices: Choices): Json {
  if (typeof value !== 'object' || value === null || choices.chance(15)) return choices.one([...scalars, [], {}]);
  if (Array.isArray(value)) {
    const elements = value as readonly Json[];
    if (elements.length === 0 || choices.chance(30)) return [...elements, choices.one(scalars)];
    const at = choices.below(elements.length);
    return choices.chance(30) ? elements.toSpliced(at, 1) : elements.with(at, mutated(elements[at]!, choices));
  }
  const members = Object.entries(value);
  if (members.length === 0 || choices.chance(30))
    return { ...value, [choices.one(['a', 'b', 'extra', 'no', 'x-2'])]: choices.one(scalars) };
  const [key, inner] = choices.one(members);
  if (!choices.chance(30)) return { ...value, [key]: mutated(inner, choices) };
  return Object.fromEntries(members.filter(([other]) => other !== key));
}
