/**
 * A module as the body of a function, from which `scripts/build/launcher.cjs` makes exports that
 * load the module when one of them is first read.
 */
import { type AnyNode, type Declaration, type ImportDeclaration, type Literal, type Node, type Program, parse } from 'acorn';
import { transform } from 'esbuild';
import { scriptStyle } from '../bundle.js';
import { type Edit, edited, nodesIn } from '../module-syntax.js';

/** The names that a module imports from another; undefined for all. */
export interface Imported {
  readonly from: string;
  readonly names: readonly string[] | undefined;
}

interface Exported {
  readonly functions: readonly string[];
  /** Classes and constants. */
  readonly others: readonly string[];
}

/** An ES module, with its syntax tree. */
export class EsModule {
  readonly #text: string;
  readonly #program: Program;

  constructor(text: string) {
    this.#text = text;
    this.#program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  }

  imports(): readonly Imported[] {
    const found: Imported[] = [];
    for (const node of this.#program.body) {
      if (node.type === 'ImportDeclaration') found.push({ from: String(node.source.value), names: importedNames(node) });
      else if (node.type === 'ExportNamedDeclaration' && node.source)
        found.push({ from: String(node.source.value), names: node.specifiers.map(({ local }) => nameOf(local)) });
    }
    for (const node of nodesIn(this.#program))
      if (node.type === 'ImportExpression') found.push({ from: String((node.source as Literal).value), names: undefined });
    return found;
  }

  exports(): Exported {
    const declared = this.#declared();
    const all = this.#exported().map(({ name, local }) => ({
      name,
      isFunction: local !== undefined && declared.get(local) === 'function',
    }));
    const names = (ofFunctions: boolean) => all.filter(({ isFunction }) => isFunction === ofFunctions).map(({ name }) => name);
    return { functions: names(true), others: names(false) };
  }

  /** Exports, with their names in the module; an export of another module has none. */
  #exported(): readonly { readonly name: string; readonly local: string | undefined }[] {
    return this.#program.body.flatMap((node) => {
      if (node.type === 'ExportDefaultDeclaration' || node.type === 'ExportAllDeclaration') throw new Error(`${node.type} has no name`);
      if (node.type !== 'ExportNamedDeclaration') return [];
      if (node.declaration) return declaredNames(node.declaration).map((name) => ({ name, local: name }));
      return node.specifiers.map(({ local, exported }) => ({ name: nameOf(exported), local: node.source ? undefined : nameOf(local) }));
    });
  }

  /** The kinds of the variables of the module. */
  #declared(): ReadonlyMap<string, string> {
    const kinds = new Map<string, string>();
    for (const node of this.#program.body) {
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      if (declaration?.type === 'FunctionDeclaration') kinds.set(declaration.id.name, 'function');
      else if (declaration?.type === 'ClassDeclaration') kinds.set(declaration.id.name, 'class');
      else if (declaration?.type === 'VariableDeclaration')
        for (const name of declaredNames(declaration)) kinds.set(name, declaration.kind);
    }
    for (const { local = '' } of this.#exported())
      if (kinds.get(local) === 'let' || kinds.get(local) === 'var') throw new Error(`${local} is exported, so it must be constant`);
    return kinds;
  }

  /**
   * The text of the function.
   * @param place the argument of `require` for a specifier
   */
  async lazy(place: (specifier: string) => string): Promise<string> {
    const { code } = await transform(this.#withoutExports(place), {
      ...scriptStyle,
      format: 'cjs',
      minifyIdentifiers: true,
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
    });
    return `"use strict";${constantImports(code.trimEnd())}`;
  }

  /** Exports become members of `exports`: functions at once, since others may call them early. */
  #withoutExports(place: (specifier: string) => string): string {
    const { functions, others } = this.exports();
    const edits: Edit[] = [];
    const renamed = new Map<string, string>();
    for (const node of this.#program.body) {
      if (node.type === 'ImportDeclaration') edits.push(this.#import(node, place));
      else if (node.type === 'ExportNamedDeclaration' && node.declaration)
        edits.push({ start: node.start, end: node.declaration.start, text: '' });
      else if (node.type === 'ExportNamedDeclaration') {
        for (const { local, exported } of node.specifiers) renamed.set(nameOf(exported), nameOf(local));
        const names = node.specifiers.map(({ local }) => nameOf(local)).join(', ');
        const text = node.source ? `import { ${names} } from ${JSON.stringify(place(String(node.source.value)))};` : '';
        edits.push({ start: node.start, end: node.end, text });
      }
    }
    edits.push(...this.#dynamicImports(place));
    const assign = (name: string) => `exports.${name} = ${renamed.get(name) ?? name};\n`;
    return `${functions.map(assign).join('')}${edited(this.#text, edits)}\n${others.map(assign).join('')}`;
  }

  #dynamicImports(place: (specifier: string) => string): Edit[] {
    const edits: Edit[] = [];
    for (const node of nodesIn(this.#program)) {
      if (node.type !== 'ImportExpression') continue;
      const { value } = node.source as Literal;
      const text = `Promise.resolve().then(() => require(${JSON.stringify(place(String(value)))}))`;
      edits.push({ start: node.start, end: node.end, text });
    }
    return edits;
  }

  #import(node: ImportDeclaration, place: (specifier: string) => string): Edit {
    const { start, end, source, specifiers } = node;
    const from = JSON.stringify(place(String(source.value)));
    const [first] = specifiers;
    if (first === undefined) throw new Error(`import ${from} has no names, so nothing would load it`);
    if (first.type === 'ImportNamespaceSpecifier') {
      if (!String(source.value).startsWith('node:')) this.#checkMembers(first.local.name);
      return { start, end, text: `const ${first.local.name} = require(${from});` };
    }
    if (first.type === 'ImportDefaultSpecifier') return { start, end, text: `const { default: ${first.local.name} } = require(${from});` };
    return { start: source.start, end: source.end, text: from };
  }

  /** Only reading a member by its name loads the module of a namespace. */
  #checkMembers(namespace: string): void {
    const members = new Set<Node | null | undefined>();
    for (const node of nodesIn(this.#program)) {
      if (node.type === 'MemberExpression' && !node.computed) members.add(node.object);
      if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern') members.add(node.init);
    }
    for (const node of nodesIn(this.#program)) {
      const isUse = node.type === 'Identifier' && node.name === namespace;
      if (isUse && !members.has(node) && this.#text.slice(node.start - 5, node.start) !== '* as ')
        throw new Error(`${namespace} is a namespace: read its members by their names`);
    }
  }
}

function importedNames({ specifiers }: ImportDeclaration): readonly string[] | undefined {
  const names: string[] = [];
  for (const specifier of specifiers) {
    if (specifier.type === 'ImportNamespaceSpecifier') return undefined;
    names.push(specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier.imported));
  }
  return names;
}

function nameOf(node: { readonly type: string; readonly name?: string }): string {
  if (node.type !== 'Identifier') throw new Error('exports have names that are identifiers');
  return node.name!;
}

function declaredNames(declaration: Declaration): readonly string[] {
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}

/** V8 calls functions of other modules directly only if the variable of the module is constant. */
function constantImports(code: string): string {
  const edits: Edit[] = [];
  for (const node of parse(code, { ecmaVersion: 'latest', sourceType: 'script' }).body)
    if (node.type === 'VariableDeclaration' && node.kind === 'var' && node.declarations.every(({ init }) => isRequire(init)))
      edits.push({ start: node.start, end: node.start + 3, text: 'const' });
  return edited(code, edits);
}

function isRequire(init: AnyNode | null | undefined): boolean {
  return init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require';
}
