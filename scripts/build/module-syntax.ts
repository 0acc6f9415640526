/** The names that JavaScript text declares at its top and uses, and changes of such text. */
import { type AnyNode, type Identifier, type Node, parse } from 'acorn';

export interface Statement {
  readonly node: Node;
  /** Declared names; none for a statement that only does something. */
  readonly names: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The statements of a bundle, each variable of a declaration as a statement of its own. */
export function topStatements(text: string): readonly Statement[] {
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  return body.flatMap((node): Statement[] => {
    if (node.type === 'VariableDeclaration')
      return node.declarations.map((one) => ({ node: one, names: boundNames(one.id) }));
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
      return [{ node, names: [node.id.name] }];
    if (node.type === 'ExportNamedDeclaration') return [];
    return [{ node, names: [] }];
  });
}

/** The names that a pattern binds. */
function boundNames(pattern: Node): string[] {
  const names: string[] = [];
  visit(pattern, (identifier) => names.push(identifier.name));
  return names;
}

/** Calls back with each identifier that is a variable: keys, members and labels are none. */
export function visit(root: Node, found: (identifier: Identifier, isShorthand: boolean) => void): void {
  const walk = (node: AnyNode): void => {
    if (node.type === 'Identifier') return found(node, false);
    if (node.type === 'Property' && node.shorthand) {
      // `{ a }`, `{ a = 1 }` in a pattern: key and value are the same text.
      const value = node.value as AnyNode;
      if (value.type === 'AssignmentPattern') walk(value.right as AnyNode);
      return found(node.key as Identifier, true);
    }
    for (const [field, value] of Object.entries(node as unknown as Fields)) {
      if (isName(node, field)) continue;
      for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) walk(inner);
    }
  };
  walk(root as AnyNode);
}

/** A node and all nodes in it. */
export function* nodesIn(root: Node): Generator<AnyNode> {
  yield root as AnyNode;
  for (const value of Object.values(root as unknown as Fields))
    for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) yield* nodesIn(inner);
}

/** Whether a field of a node holds a name that is no variable. */
function isName(node: AnyNode, field: string): boolean {
  if (field === 'label') return true;
  if (field === 'property') return node.type === 'MemberExpression' && !node.computed;
  return field === 'key' && 'computed' in node && !node.computed;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** A change of a text: the range is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A range of a text, by default all of it, with changes inside the range that do not overlap. */
export function edited(text: string, edits: readonly Edit[], { start, end } = { start: 0, end: text.length }): string {
  let result = '';
  let place = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(place, edit.start) + edit.text;
    place = edit.end;
  }
  return result + text.slice(place, end);
}
