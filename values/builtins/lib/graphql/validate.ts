/**
 * Whether a query fits a schema, by the rules of the `graphql` package and one more rule of the
 * reference.
 */
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { BuiltinContext } from '../../builtin-context.js';
import type { QueryDocument, Selection } from './ast.js';
import { GraphqlError } from './graphql-errors.js';
import type { GraphqlPosition } from './lexer.js';
import { type GraphqlNode, queryNodes, schemaNodes } from './nodes.js';
import type { GraphqlSchema } from './schema.js';

/** A module, once it is loaded: most policies check no queries. */
let library: typeof import('./library.js') | undefined;

/** Loads the `graphql` package, which `validateQuery` needs. */
export async function loadGraphql(): Promise<void> {
  library ??= await import('./library.js');
}

const compiled = new WeakMap<GraphqlSchema, GraphQLSchema>();

const outcomes = new WeakMap<QueryDocument, WeakMap<GraphqlSchema, GraphqlError | 'valid'>>();

/**
 * Throws a GraphqlError. Its message has all mistakes, a line each, as the reference strings them
 * together. Remembered for as long as both documents are.
 */
export function validateQuery(schema: GraphqlSchema, document: QueryDocument, context: BuiltinContext): void {
  let known = outcomes.get(document);
  if (known === undefined) outcomes.set(document, (known = new WeakMap()));
  let outcome = known.get(schema);
  if (outcome === undefined) {
    context.tick(unitsPerSelection * selectionsOf(document));
    known.set(schema, (outcome = validated(schema, document)));
  }
  if (outcome !== 'valid') throw outcome;
}

/** Units for a selection that all rules look at. */
const unitsPerSelection = 3000;

function selectionsOf({ Operations, Fragments }: QueryDocument): number {
  let count = 0;
  const ahead = [...Operations, ...Fragments].map(({ SelectionSet }) => SelectionSet);
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    count += next.length;
    for (const selection of next) if ('SelectionSet' in selection) ahead.push(selection.SelectionSet);
  }
  return count;
}

function validated(schema: GraphqlSchema, document: QueryDocument): GraphqlError | 'valid' {
  const mistakes = [...rootMistakes(schema, document), ...ruleMistakes(schema, document), ...unusedFragments(document)];
  const [first, ...others] = mistakes;
  if (first === undefined) return 'valid';
  const lines = [
    first.message,
    ...others.map(
      ({ message, position }) => `input${position ? `:${position.line}:${position.column}` : ''}: ${message}`,
    ),
  ];
  return new GraphqlError(`${lines.join('\n')}\n`.replace(/\.\n$/, ''), first.position);
}

function rootMistakes(schema: GraphqlSchema, document: QueryDocument): GraphqlError[] {
  return document.Operations.filter(({ Operation }) => !schema.roots.has(Operation)).map(({ Operation, Position }) => {
    return new GraphqlError(`Schema does not support operation type "${Operation}"`, Position);
  });
}

/**
 * The reference visits fragments in turn, and counts each met fragment as used: of fragments that
 * only use each other it reports the first.
 */
function unusedFragments(document: QueryDocument): GraphqlError[] {
  const fragments = new Map(document.Fragments.map((fragment) => [fragment.Name, fragment]));
  const used = new Set<string>();
  const meet = (selections: readonly Selection[]) => {
    const ahead = [selections];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      for (const selection of next) {
        if ('SelectionSet' in selection) ahead.push(selection.SelectionSet);
        else if (!used.has(selection.Name)) {
          used.add(selection.Name);
          ahead.push(fragments.get(selection.Name)?.SelectionSet ?? []);
        }
      }
    }
  };
  for (const { SelectionSet } of document.Operations) meet(SelectionSet);
  const mistakes: GraphqlError[] = [];
  for (const { Name, SelectionSet, Position } of document.Fragments) {
    meet(SelectionSet);
    if (!used.has(Name)) mistakes.push(new GraphqlError(`Fragment "${Name}" is never used.`, Position));
  }
  return mistakes;
}

function ruleMistakes(schema: GraphqlSchema, document: QueryDocument): GraphqlError[] {
  if (library === undefined) throw new Error('the graphql package was not loaded');
  const { NoUnusedFragmentsRule, specifiedRules } = library;
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
  try {
    let types = compiled.get(schema);
    if (types === undefined) {
      types = library.buildASTSchema(schemaNodes(schema), { assumeValid: true });
      compiled.set(schema, types);
    }
    return library
      .validate(types, queryNodes(document), rules, { maxErrors: maxMistakes })
      .map(
        (error) =>
          new GraphqlError(
            error.message === aborted ? 'the query is too complex to be validated' : error.message,
            positionOf(error),
          ),
      );
  } catch (error) {
    // Documents given as objects may have names that are not possible in text. The package rejects
    // them with its own error.
    if (error instanceof library.GraphQLError) return [new GraphqlError(error.message, positionOf(error))];
    if (error instanceof RangeError) return [new GraphqlError('nested too deeply', undefined)];
    throw error;
  }
}

const maxMistakes = 100;
/** The package's message for a query whose comparisons of fields exceed its budget. */
const aborted = 'Validation aborted.';
/** Errors between two nodes: the reference reports the second node. */
const atSecond = /^(?:There can be only one|The directive "|Variable "\$.*" used in position|Cannot spread fragment )/s;
const conflict = /^Fields ".*" conflict/s;
/** Mistakes in arguments, which the reference reports at the field or directive that has them. */
const atOwner = /^Unknown argument /;

function positionOf(error: GraphQLError): GraphqlPosition | undefined {
  const nodes = (error.nodes ?? []) as unknown as readonly GraphqlNode[];
  if (atOwner.test(error.message)) return nodes[0]?.owner;
  // The nodes of the one side come first, then as many of the other.
  if (conflict.test(error.message)) return nodes[nodes.length / 2]?.position;
  return (atSecond.test(error.message) ? nodes.at(-1) : nodes[0])?.position;
}
