/** The packages that are defined at the prompt. */
import { type Module, parseModule, parseQuery, printRef } from '../../compiler/index.js';

interface Definition {
  readonly name: string;
  /** Whether a later definition of the same name replaces it. */
  readonly single: boolean;
  readonly text: string;
}

/** The definitions of one package. */
interface Definitions {
  imports: readonly string[];
  rules: readonly Definition[];
}

export class PromptPackages {
  readonly version: 'v0' | 'v1';
  /** The name of the current package. */
  current = 'repl';
  readonly #byName = new Map<string, Definitions>();

  constructor(version: 'v0' | 'v1') {
    this.version = version;
  }

  /** The texts of all packages by name. */
  get texts(): ReadonlyMap<string, string> {
    return new Map([...this.#byName.keys()].map((name) => [name, this.text(name)]));
  }

  get imports(): readonly string[] {
    return this.#definitions.imports;
  }

  get #definitions(): Definitions {
    let definitions = this.#byName.get(this.current);
    if (definitions === undefined) this.#byName.set(this.current, (definitions = { imports: [], rules: [] }));
    return definitions;
  }

  /** Changes the current package by a package clause. Throws CompileErrors. */
  enter(line: string): void {
    const { package: node } = parseModule('', line, { regoVersion: this.version });
    this.current = printRef(node.path).replace(/^data\./, '');
  }

  /** Adds an import to the current package. Throws CompileErrors. */
  import(line: string): void {
    this.#parse(`${line}\n`);
    this.#definitions.imports = [...this.#definitions.imports, line.trim()];
  }

  /** Removes the rules of a name; returns whether there were any. */
  unset(name: string): boolean {
    const definitions = this.#definitions;
    const rest = definitions.rules.filter((rule) => rule.name !== name);
    const found = rest.length < definitions.rules.length;
    definitions.rules = rest;
    return found;
  }

  /** The text of a package. */
  text(name: string): string {
    const { imports, rules } = this.#byName.get(name) ?? { imports: [], rules: [] };
    return [`package ${name}`, ...(imports.length > 0 ? [imports.join('\n')] : []), ...rules.map(({ text }) => text)]
      .join('\n\n')
      .concat('\n');
  }

  /** Parses a rule; undefined for a query. An ambiguous text is a rule if it assigns. */
  definition(text: string): Definition | undefined {
    let module: Module;
    try {
      module = this.#parse(text);
    } catch {
      return undefined;
    }
    const [rule] = module.rules;
    if (rule === undefined) return undefined;
    const { head, generatedBody } = rule;
    const assigns = head.assign && generatedBody;
    // `p = 1` is a query; in version 0 so are other texts that could be rules.
    const isEquation = generatedBody && !head.assign && head.key === undefined && !rule.default;
    if (isEquation || (this.version === 'v0' && !assigns && this.#isQuery(text))) return undefined;
    return { name: printRef(head.ref), single: assigns && head.args === undefined, text: text.trim() };
  }

  /** The error of a text that is no rule. */
  errorOf(text: string): unknown {
    try {
      this.#parse(text);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /**
   * Adds a rule to the current package if `check` accepts the result, and returns whether it
   * replaced another one. Rejects with the error of `check`.
   */
  async define(definition: Definition, check: () => Promise<unknown>): Promise<boolean> {
    const definitions = this.#definitions;
    const { rules } = definitions;
    const others = definition.single ? rules.filter(({ name, single }) => name !== definition.name || !single) : rules;
    definitions.rules = [...others, definition];
    try {
      await check();
    } catch (error) {
      definitions.rules = rules;
      throw error;
    }
    return others.length < rules.length;
  }

  /** A text as a module of the current package. Throws CompileErrors. */
  #parse(text: string): Module {
    const imports = this.imports.map((line) => `${line}\n`).join('');
    return parseModule('', `package repl\n${imports}${text}`, { regoVersion: this.version });
  }

  #isQuery(text: string): boolean {
    try {
      parseQuery(text, { regoVersion: this.version });
      return true;
    } catch {
      return false;
    }
  }
}
