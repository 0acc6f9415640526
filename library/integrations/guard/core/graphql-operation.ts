/** The fields of a GraphQL operation. */

/** The parts of a GraphQL document that are read: a syntax tree of `graphql`. */
export interface GraphQLDocument {
  readonly definitions: readonly GraphQLNode[];
}

interface GraphQLNode {
  readonly kind: string;
  readonly operation?: string;
  readonly name?: { readonly value: string } | undefined;
  readonly selectionSet?: { readonly selections: readonly GraphQLNode[] } | undefined;
}

export interface GraphQLOperation {
  readonly operation: 'query' | 'mutation' | 'subscription';
  /** The names of the root fields, not of their aliases. Those that a directive skips count too. */
  readonly fields: readonly string[];
}

/** The operation that is executed: that of the name, or the only one. */
export function operationOf({ definitions }: GraphQLDocument, name: string | null | undefined): GraphQLOperation {
  const found = definitions.find(
    (node) => node.kind === 'OperationDefinition' && (name === null || name === undefined || name === node.name?.value),
  );
  const fields = found === undefined ? [] : rootFields(definitions, found, new Set());
  return { operation: (found?.operation ?? 'query') as GraphQLOperation['operation'], fields: [...new Set(fields)] };
}

/** @param seen the nodes that were visited: a fragment may spread itself */
function rootFields(definitions: readonly GraphQLNode[], node: GraphQLNode, seen: Set<GraphQLNode>): readonly string[] {
  if (seen.has(node)) return [];
  seen.add(node);
  return (node.selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === 'Field') return [selection.name!.value];
    if (selection.kind === 'InlineFragment') return rootFields(definitions, selection, seen);
    const fragment = definitions.find(
      (other) => other.kind === 'FragmentDefinition' && other.name?.value === selection.name?.value,
    );
    return fragment === undefined ? [] : rootFields(definitions, fragment, seen);
  });
}
