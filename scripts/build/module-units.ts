/**
 * Takes the runtime of modules apart: a bundle of `runtime/codegen/module/runtime.ts` into its
 * declarations, and its tables into their members. `writ build -t js` puts those that a policy
 * needs into the policy's module (`runtime/codegen/module/module-text.ts`).
 */
import { readFileSync } from 'node:fs';
import type { ArrayExpression, ArrowFunctionExpression, CallExpression, Node, ObjectExpression, Property } from 'acorn';
import { type BuildOptions, type Metafile, type Plugin, transform } from 'esbuild';
import type { ModulePart, ModuleUnits } from '../../runtime/codegen/module/module-units.js';
import { bundle } from './bundle.js';
import { licence } from './licences.js';
import { type Edit, edited, type Statement, topStatements, visit } from './module-syntax.js';
import { sourceText } from './source-text.js';

const entry = 'runtime/codegen/module/runtime.ts';

/** Older engines lack `Object.hasOwn`, private fields or `isWellFormed`. */
const target = 'es2022';

export async function moduleUnits(
  options: BuildOptions,
): Promise<{ readonly units: ModuleUnits; readonly metafile: Metafile }> {
  const { files, metafile } = await bundle({
    ...options,
    entryPoints: { runtime: entry },
    outdir: 'out',
    format: 'esm',
    platform: 'neutral',
    target,
    minifySyntax: false,
    minifyWhitespace: false,
    plugins: [staticImports],
  });
  return { units: await new Parts(files[0]!.text, options.absWorkingDir!).units(), metafile };
}

/** Libraries that are loaded on demand are in the module or not: nothing is left to wait for. */
const staticImports: Plugin = {
  name: 'static-imports',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]builtins[\\/].*\.ts$/ }, ({ path }) => {
      const text = sourceText(path, readFileSync(path, 'utf8'));
      if (!/\bimport\(/.test(text)) return undefined;
      const imports: string[] = [];
      const body = text
        .replaceAll('await Promise.all(', '(')
        .replaceAll(
          /(?:await )?\bimport\(('[^']+')(, \{ with: (\{[^}]*\}) \})?\)/g,
          (_, from: string, _options, attributes = '{}') => {
            imports.push(`import * as loaded${imports.length} from ${from} with ${attributes};`);
            return `loaded${imports.length - 1}`;
          },
        );
      return { contents: `${imports.join('\n')}\n${body}`, loader: 'ts' };
    });
  },
};

class Parts {
  readonly #text: string;
  readonly #root: string;
  readonly #statements: readonly Statement[];
  /** The statement that declares a name. */
  readonly #declaring = new Map<string, number>();
  readonly #shortNames: ReadonlyMap<string, string>;
  /** Statements without a name, by the variables that they change. */
  readonly #effects = new Map<number, number[]>();

  constructor(text: string, root: string) {
    this.#text = text;
    this.#root = root;
    this.#statements = topStatements(text);
    for (const [i, { names }] of this.#statements.entries()) for (const name of names) this.#declaring.set(name, i);
    this.#shortNames = this.#shortened();
    for (const [i, { node, names }] of this.#statements.entries()) {
      if (names.length > 0) continue;
      for (const changed of this.#changedBy(node))
        this.#effects.set(changed, [...(this.#effects.get(changed) ?? []), i]);
    }
  }

  async units(): Promise<ModuleUnits> {
    const rows = this.#membersOf('families').flatMap(
      (family) => (this.#initOf(this.#rowsOf(family)) as ArrayExpression).elements as Node[],
    );
    const members = [this.#membersOf('library'), this.#membersOf('support')] as const;
    const [library, support] = members;
    const nodes = this.#statements.map(({ node }) => node);
    const packages = this.#packages();
    const all = [
      ...nodes.map((node) => ({ node, before: node.type === 'VariableDeclarator' ? 'var ' : '', after: '' })),
      ...rows.map((node) => ({ node, before: 'out = [', after: ']' })),
      ...members.flat().map(({ value }) => ({ node: value, before: 'out = (', after: ')' })),
    ];
    const texts = await minified(all.map(({ node, before, after }) => `${before}${this.#renamed(node)}${after}`));
    const parts = all.map(({ node }, i): ModulePart => ({ text: texts[i]!, uses: this.#usesOf(node) }));
    const declarations = parts.splice(0, nodes.length).map((part, i) => {
      const names = this.#statements[i]!.names.map((name) => this.#shortNames.get(name) ?? name);
      return { ...part, names, uses: [...part.uses, ...(this.#effects.get(i) ?? [])], package: packages[i] };
    });
    const rowParts = parts
      .splice(0, rows.length)
      .map(({ text, uses }) => ({ text: /^out=\[(.*)\];?$/s.exec(text)![1]!, uses }));
    const named = (properties: readonly Property[]) =>
      Object.fromEntries(
        parts
          .splice(0, properties.length)
          .map(({ text, uses }, i) => [
            this.#slice(properties[i]!.key),
            { text: /^out=(.*?);?$/s.exec(text)![1]!, uses },
          ]),
      );
    const licences = Object.fromEntries(
      [...new Set(packages)].flatMap((name) => (name ? [[name, licence(this.#root, `node_modules/${name}`)]] : [])),
    );
    const builtins = Object.fromEntries(this.#rowNames(rows).flatMap((names, row) => names.map((name) => [name, row])));
    return {
      declarations,
      licences,
      library: named(library),
      support: named(support),
      rows: rowParts,
      builtins,
      cryptography: this.#declaring.get('cryptoOf')!,
      re2: this.#declaring.get('loadRegex')!,
    };
  }

  #slice({ start, end }: Node): string {
    return this.#text.slice(start, end);
  }

  /** A member of `moduleTables`; esbuild may have renamed its variable. */
  #table(name: string): Node {
    const properties = (this.#initOf('moduleTables') as ObjectExpression).properties as readonly Property[];
    return this.#initOf(this.#slice(properties.find(({ key }) => this.#slice(key) === name)!.value));
  }

  /** The name of the table that a family's function returns. */
  #rowsOf({ value }: Property): string {
    return this.#slice((value as ArrowFunctionExpression).body);
  }

  /** The value that a variable of the bundle is declared with. */
  #initOf(name: string): Node {
    return (this.#statements[this.#declaring.get(name)!]!.node as unknown as { readonly init: Node }).init;
  }

  /** The package of each statement: esbuild writes the file's name before its statements. */
  #packages(): readonly (string | undefined)[] {
    const files = [...this.#text.matchAll(/^\/\/ (.+)$/gm)];
    let next = 0;
    return this.#statements.map(({ node }) => {
      while (next < files.length && files[next]!.index < node.start) next++;
      return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(files[next - 1]?.[1] ?? '')?.[1];
    });
  }

  #membersOf(table: string): readonly Property[] {
    return (this.#table(table) as ObjectExpression).properties as readonly Property[];
  }

  #usesOf(node: Node): readonly number[] {
    const uses = new Set<number>();
    visit(node, ({ name }) => this.#declaring.has(name) && uses.add(this.#declaring.get(name)!));
    return [...uses];
  }

  /** The text of a node with short names, and without descriptions of built-ins. */
  #renamed(node: Node): string {
    const edits: Edit[] = [];
    visit(node, ({ start, end, name }, isShorthand) => {
      const short = this.#shortNames.get(name);
      if (short !== undefined) edits.push({ start, end, text: isShorthand ? `${name}: ${short}` : short });
    });
    return edited(this.#text, edits, node).replaceAll(/\bdescription: "(?:[^"\\]|\\.)*",?/g, '');
  }

  /**
   * Names with a `$` in front, the shortest for those that are used most. esbuild renames inner
   * variables that would hide one of the top: identifiers of one name are the same variable.
   */
  #shortened(): ReadonlyMap<string, string> {
    const inAll = this.#inAllModules();
    const counts = new Map<string, number>();
    for (const [i, { node }] of this.#statements.entries())
      visit(
        node,
        ({ name }) =>
          this.#declaring.has(name) && counts.set(name, (counts.get(name) ?? 0) + (inAll.has(i) ? 1000 : 1)),
      );
    const byUse = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
    return new Map(byUse.map((name, i) => [name, shortName(i)]));
  }

  /** The declarations that all modules contain. */
  #inAllModules(): ReadonlySet<number> {
    const policy = this.#membersOf('library').find(({ key }) => this.#slice(key) === 'ModulePolicy')!;
    const found = new Set(this.#usesOf(policy.value));
    for (const index of found) for (const use of this.#usesOf(this.#statements[index]!.node)) found.add(use);
    return found;
  }

  /** Numbers of the variables that a statement may change: of `__export`, its first argument. */
  #changedBy(node: Node): ReadonlySet<number> {
    const expression = (node as { readonly expression?: CallExpression }).expression;
    const isExport = expression?.type === 'CallExpression' && this.#slice(expression.callee) === '__export';
    const changed = new Set<number>();
    visit(isExport ? expression.arguments[0]! : node, ({ name }) => {
      const index = this.#declaring.get(name);
      if (index !== undefined && this.#statements[index]!.node.type === 'VariableDeclarator') changed.add(index);
    });
    return changed;
  }

  /** The names of the built-ins of each row, some of which are computed. */
  #rowNames(rows: readonly Node[]): readonly (readonly string[])[] {
    const list = rows.map((row) => `[${this.#slice(row)}]`).join(',');
    const body = this.#text.replaceAll(/^export \{[^}]*\};$/gm, '');
    const found = new Function(`${body}\nreturn [${list}];`)() as readonly (readonly { readonly name: string }[])[];
    return found.map((all) => all.map(({ name }) => name));
  }
}

/** No text contains this statement, and esbuild merges nothing over it. */
const separator = 'debugger;';

/** Minifies texts, all at once: a call of esbuild for each takes seconds. */
async function minified(texts: readonly string[]): Promise<readonly string[]> {
  const all = texts.map((text) => `${text}\n;${separator}\n`).join('');
  const { code } = await transform(all, { minify: true, target, charset: 'ascii', legalComments: 'none' });
  const parts = code.split(separator).slice(0, -1);
  if (parts.length !== texts.length) throw new Error('the runtime of modules could not be taken apart');
  return parts.map((part) => part.trim());
}

const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

function shortName(number: number): string {
  let name = '';
  for (let left = number; left >= 0; left = Math.floor(left / digits.length) - 1) name += digits[left % digits.length];
  return `$${name}`;
}
