/** Files of declarations, as tsc prints them, taken apart. */
import { parseAst } from 'rolldown/parseAst';

/** A file of declarations: its own names, and those of other files. */
export interface DeclarationFile {
  readonly declared: ReadonlyMap<string, Declaration>;
  /** The local names of imports, with the file and the name there. */
  readonly imported: ReadonlyMap<string, Place>;
  /** The names outside of what it exports, with their places; a file's own ones have its path. */
  readonly exported: ReadonlyMap<string, Place>;
  /** Files of which it exports everything. */
  readonly whole: readonly string[];
  /** The libraries of the language that it asks for, as comments. */
  readonly references: readonly string[];
}

/** A name in a file. */
export interface Place {
  /** The file as it is imported, or undefined for the file itself. */
  readonly file: string | undefined;
  readonly name: string;
  /** Whether a class or a function is there as a type alone. */
  readonly isType?: boolean;
}

/** The statements of a name: a function has one for each of its forms. */
export interface Declaration {
  /** The place among those of its file. */
  readonly position: number;
  /** With their comments, without `export`. */
  readonly text: string;
  /** The names that they use, in order. */
  readonly uses: readonly Use[];
}

/** A name in the text of a declaration. */
interface Use extends Place {
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const comment = /\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*$/;

export function readDeclarations(text: string): DeclarationFile {
  const declared = new Map<string, Declaration>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Place>();
  const whole: string[] = [];
  const references = text.match(/^\/\/\/ <reference .*$/gm) ?? [];

  const declare = (statement: Node, before: string): readonly string[] => {
    const [lead] = comment.exec(before) ?? [];
    const variables = statement.declarations as readonly Node[] | undefined;
    return (variables ?? [statement]).map((node) => {
      const name = textOf(node.id);
      const known = declared.get(name);
      // Each variable of a statement gets one of its own.
      const head = variables === undefined ? '' : `declare ${statement.kind} `;
      const start = `${known === undefined ? '' : `${known.text}\n`}${lead === undefined ? '' : `${lead.trimEnd()}\n`}${head}`;
      const offset = start.length - node.start;
      const uses = usesIn(node).map((use) => ({ ...use, start: use.start + offset, end: use.end + offset }));
      declared.set(name, {
        position: known?.position ?? declared.size,
        text: `${start}${text.slice(node.start, node.end)}${variables === undefined ? '' : ';'}`,
        uses: [...(known?.uses ?? []), ...uses],
      });
      return name;
    });
  };

  let end = 0;
  for (const node of (parseAst(text, { lang: 'dts' }) as unknown as { readonly body: readonly Node[] }).body) {
    const before = text.slice(end, node.start);
    end = node.end;
    const source = (node.source as { readonly value: string } | null | undefined)?.value;
    const specifiers = (node.specifiers ?? []) as readonly Node[];
    if (node.type === 'ImportDeclaration')
      for (const one of specifiers)
        imported.set(textOf(one.local), { file: source, name: importedName(one), isType: isType(node) || isType(one) });
    else if (node.type === 'ExportAllDeclaration') {
      if (node.exported === null) whole.push(source!);
      else exported.set(textOf(node.exported), { file: source, name: '*' });
    } else if (node.type === 'ExportDefaultDeclaration')
      exported.set('default', { file: undefined, name: textOf(node.declaration) });
    else if (node.type !== 'ExportNamedDeclaration') declare(node, before);
    else if (node.declaration === null)
      for (const one of specifiers)
        exported.set(textOf(one.exported), {
          file: source,
          name: textOf(one.local),
          isType: isType(node) || isType(one),
        });
    else {
      for (const name of declare(node.declaration as Node, before)) exported.set(name, { file: undefined, name });
    }
  }
  return { declared, imported, exported, whole, references };
}

function isType(node: Node): boolean {
  return node.importKind === 'type' || node.exportKind === 'type';
}

function importedName(specifier: Node): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  return specifier.type === 'ImportDefaultSpecifier' ? 'default' : textOf(specifier.imported);
}

/** An identifier's name. */
function textOf(node: unknown): string {
  const { name } = (node ?? {}) as { readonly name?: unknown };
  if (typeof name !== 'string') throw new Error(`not a name: ${JSON.stringify(node)}`);
  return name;
}

/** Members of nodes that are names of declarations, or begin with one. */
const namesOf: Readonly<Record<string, string>> = {
  ClassDeclaration: 'superClass',
  TSClassImplements: 'expression',
  TSInterfaceHeritage: 'expression',
  TSTypeQuery: 'exprName',
  TSTypeReference: 'typeName',
};

/** The name that a node declares, and those that it uses. */
function usesIn(node: Node): Use[] {
  const name = textOf(node.id);
  // A variable's identifier has its type.
  const { start } = node.id as Node;
  const found: Use[] = [{ file: undefined, name, start, end: start + name.length }];
  const parameters = new Set<string>();
  const visit = (one: Node): void => {
    if (one.type === 'TSTypeParameter') parameters.add(textOf(one.name));
    if (one.type === 'TSMappedType') parameters.add(textOf(one.key));
    if (one.type === 'TSImportType') {
      const { start, end } = one.qualifier === null ? one : { ...one, end: rootOf(one.qualifier as Node).end };
      const name = one.qualifier === null ? '*' : textOf(rootOf(one.qualifier as Node));
      found.push({ file: (one.source as { readonly value: string }).value, name, start, end });
    }
    const named = one[one.computed === true ? 'key' : (namesOf[one.type] ?? '')] as Node | null | undefined;
    if (named) {
      const root = rootOf(named);
      // An import in `typeof` is a type of its own.
      if (root.type === 'Identifier')
        found.push({ file: undefined, name: textOf(root), start: root.start, end: root.end });
    }
    for (const child of Object.values(one)) {
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each);
    }
  };
  visit(node);
  return found
    .filter(({ file, name }) => file !== undefined || !parameters.has(name))
    .sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `a` of `a.b.c`. */
function rootOf(node: Node): Node {
  return isNode(node.left) ? rootOf(node.left) : isNode(node.object) ? rootOf(node.object) : node;
}
