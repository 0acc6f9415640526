/** Random JSON Schemas with samples, valid ones and mutations of these. */
import type { Choices } from './choices.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonSchema = { readonly [keyword: string]: unknown };

export interface SchemaWithSamples {
  readonly schema: JsonSchema;
  readonly samples: readonly Json[];
}

/**
 * `exact`: keywords of which a type says all. `more`: others too, of which a type says less, so
 * that it admits values that are not valid.
 */
export type SchemaKeywords = 'exact' | 'more';

/** A schema of the draft of 2020, with samples, about half of them valid. */
export function randomSchema(choices: Choices, keywords: SchemaKeywords): SchemaWithSamples {
  const maker = new SchemaMaker(choices, keywords);
  const { schema, sample } = maker.make(3);
  const samples = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? sample() : mutated(sample(), choices)));
  return { schema: { ...schema, ...maker.definitions() }, samples };
}

interface Made {
  readonly schema: JsonSchema;
  /** A valid value. */
  readonly sample: () => Json;
}

const names = ['a', 'b', 'the-c', 'd e'];
const texts = ['', 'x', 'read', "it's", '"', 'ü\n'];
const scalars: readonly Json[] = [null, true, false, 0, -1, 2.5, ...texts];

class SchemaMaker {
  readonly #choices: Choices;
  readonly #keywords: SchemaKeywords;
  /** Whether the definition of lists that hold lists is referred to. */
  #hasTree = false;

  constructor(choices: Choices, keywords: SchemaKeywords) {
    this.#choices = choices;
    this.#keywords = keywords;
  }

  definitions(): JsonSchema {
    if (!this.#hasTree) return {};
    const tree = { type: 'object', properties: { next: { $ref: '#/$defs/tree' }, value: { type: 'number' } }, required: ['value'] };
    return { $defs: { tree: { ...tree, additionalProperties: false } } };
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
      () => this.#together(depth),
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
    const least = this.#choices.below(first.length + 1);
    return {
      schema: { type: 'array', prefixItems: first.map(({ schema }) => schema), items: rest?.schema ?? false, minItems: least },
      sample: () => {
        const length = least + this.#choices.below(first.length - least + 1);
        const elements = first.slice(0, length).map(({ sample }) => sample());
        return rest !== undefined && length === first.length
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
    return {
      schema: { type: 'object', additionalProperties: inner.schema },
      sample: () => Object.fromEntries(names.slice(0, this.#choices.below(3)).map((name) => [name, inner.sample()])),
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
    this.#hasTree = true;
    const sample = (): Json => ({ value: this.#choices.below(5), ...(this.#choices.chance(40) && { next: sample() }) });
    return { schema: { $ref: '#/$defs/tree' }, sample };
  }

  /** Open objects that must fit two schemas. */
  #together(depth: number): Made {
    const own = this.#open(depth);
    const other = { type: 'object', properties: { z: { type: 'string' } }, required: ['z'] };
    return { schema: { allOf: [own.schema, other] }, sample: () => ({ ...(own.sample() as object), z: 'z' }) };
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
  if (members.length === 0 || choices.chance(30)) return { ...value, [choices.one(['a', 'b', 'extra'])]: choices.one(scalars) };
  const [key, inner] = choices.one(members);
  if (!choices.chance(30)) return { ...value, [key]: mutated(inner, choices) };
  return Object.fromEntries(members.filter(([other]) => other !== key));
}
