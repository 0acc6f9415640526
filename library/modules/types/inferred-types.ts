/** The types that the compiler has found for documents, as TypeScript types of their JSON. */
import { jsonOfTerm, nowhere, type ObjectType, type Term, type Type, type TypeTree } from '../../../compiler/index.js';
import { toJson, type Value } from '../../../values/index.js';
import type { DocumentFacts } from './rule-facts.js';
import { arrayText, type MemberText, objectText, tupleText, unionText, unknown } from './type-text.js';

/** Larger types are of no use to a reader: parts beyond this depth are unknown. */
const maxDepth = 8;

/**
 * The type of the document at a path of rules.
 * @param factsOf tells of the documents below it
 */
export function documentType(
  tree: TypeTree,
  path: readonly string[],
  factsOf: (path: readonly string[]) => DocumentFacts,
): string {
  const terms = path.map((value): Term => ({ type: 'string', loc: nowhere, value }));
  let node: TypeTree | undefined = tree;
  for (const key of terms) node = node?.child(key);
  if (node !== undefined) return treeType(node, path, factsOf, maxDepth);
  return typeText(tree.find(terms, 0).type, maxDepth);
}

function treeType(
  node: TypeTree,
  path: readonly string[],
  factsOf: (path: readonly string[]) => DocumentFacts,
  depth: number,
): string {
  if (node.type !== undefined) return typeText(node.type, depth);
  if (depth === 0) return unknown;
  const members: MemberText[] = [];
  for (const child of node.children) {
    const key = jsonOfTerm(child.key);
    if (key === undefined || child.tree.type?.kind === 'function') continue;
    const name = keyText(key);
    const inner = [...path, name];
    const { literal, description } = factsOf(inner);
    members.push({
      name,
      type: literal ?? treeType(child.tree, inner, factsOf, depth - 1),
      optional: true,
      description,
    });
  }
  // There may be documents beside the rules.
  return objectText(members, unknown);
}

function typeText(type: Type | undefined, depth: number): string {
  if (type === undefined || depth === 0) return unknown;
  switch (type.kind) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return type.kind;
    case 'array': {
      const rest = type.rest && typeText(type.rest, depth - 1);
      return type.fixed.length === 0
        ? arrayText(rest ?? unknown)
        : tupleText(
            type.fixed.map((element) => typeText(element, depth - 1)),
            rest,
          );
    }
    case 'set':
      return arrayText(typeText(type.of, depth - 1));
    case 'object':
      return objectTypeText(type, depth);
    case 'any':
      return type.of.length === 0 ? unknown : unionText(type.of.map((one) => typeText(one, depth)));
    case 'function':
      return unknown;
  }
}

function objectTypeText({ fixed, rest }: ObjectType, depth: number): string {
  // An object that may have other keys is one of rules, whose keys may be absent.
  const optional = rest !== undefined;
  const members = fixed.map((member) => {
    const type = typeText(member.type, depth - 1);
    return { name: keyText(member.key), type, optional: member.optional ?? optional };
  });
  return objectText(members, rest && typeText(rest.value, depth - 1));
}

/** Keys that are no strings are their JSON text. */
function keyText(key: Value): string {
  return typeof key === 'string' ? key : toJson(key);
}
