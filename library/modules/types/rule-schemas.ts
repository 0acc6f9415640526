/** The schemas that annotations give to `input` and to parts of `data`. */
import type { Compiled, CompiledRule, Rule, SchemaAnnotation, Types } from '../../../compiler/index.js';
import { checkTypes, Diagnostics, elseChain, RuleSchemas, schemaName, stringKeys } from '../../../compiler/index.js';
import { allAtOnce } from '../../../values/index.js';

export interface DescribedDocument {
  /** The path below `input` or `data`: strings; undefined where a part is no constant string. */
  readonly path: readonly string[] | undefined;
  readonly schema: unknown;
}

export class DocumentSchemas {
  readonly #compiled: Compiled;
  readonly #schemas: RuleSchemas;

  /**
   * The types of rules. Where schemas describe documents, policies are checked once more: the types
   * that the reference checks by leave out values that the schemas admit.
   */
  readonly resultTypes: Types | undefined;

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
    const { schemas, schemaAnnotations } = compiled.options;
    this.resultTypes = schemas !== undefined || schemaAnnotations === true ? admittedTypes(compiled) : compiled.types;
    this.#schemas = new RuleSchemas(compiled.options, compiled.annotations);
  }

  /** The schemas of `input` for some rules, each once; those of the nearest annotations of each. */
  inputs(rules: readonly CompiledRule[]): readonly unknown[] {
    const whole = this.#compiled.options.schemas?.get('schema');
    const found = new Set<unknown>();
    for (const rule of rules) {
      for (const link of elseChain(rule.rule)) {
        const nearest = this.#described(rule, link, 'input').findLast(({ path }) => path?.length === 0);
        found.add(nearest === undefined ? whole : nearest.schema);
      }
    }
    return [...found].filter((schema) => schema !== undefined);
  }

  /** The schemas of parts of `data` by their paths, for all rules. */
  data(): readonly DescribedDocument[] {
    const found = new Map<string, DescribedDocument>();
    for (const [, { rules }] of this.#compiled.modules)
      for (const rule of rules)
        for (const link of elseChain(rule.rule))
          for (const described of this.#described(rule, link, 'data'))
            if (described.path !== undefined) found.set(described.path.join('\u0000'), described);
    return [...found.values()];
  }

  #described(rule: CompiledRule, link: Rule, root: string): readonly DescribedDocument[] {
    return this.#schemas.of(rule, link).flatMap((annotation) => {
      const [head, ...path] = annotation.path.terms;
      const schema = this.#documentOf(annotation);
      return head?.type === 'var' && head.name === root && schema !== undefined
        ? [{ path: stringKeys(path), schema }]
        : [];
    });
  }

  #documentOf({ schema, definition }: SchemaAnnotation): unknown {
    return schema === undefined ? definition : this.#compiled.options.schemas?.get(schemaName(schema.terms));
  }
}

function admittedTypes(compiled: Compiled): Types {
  // The policies have none of the errors that this may find.
  return allAtOnce(checkTypes({ ...compiled, admitted: true, diagnostics: new Diagnostics() }));
}
