/** The state of the interactive prompt: definitions, and the execution of lines. */
import type { Module } from '../../compiler/ast/nodes.js';
import { printRef } from '../../compiler/ast/print.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { moduleAt } from '../../runtime/bundle/disk/loose-file.js';
import { readAt } from '../../runtime/bundle/documents.js';
import { prepareQuery } from '../eval/source-eval.js';
import type { EvalSources } from '../eval/sources.js';
import { Timers } from '../eval/timers.js';
import { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorsText } from '../output/errors.js';
import { outputErrors } from '../output/failures.js';
import type { Format } from '../output/output.js';
import { printOutput } from '../output/results.js';
import { helpText } from './help-text.js';
import { isUnfinished } from './unfinished.js';

interface Definition {
  readonly name: string;
  /** Whether a later definition of the same name replaces it. */
  readonly single: boolean;
  readonly text: string;
}

/** The definitions of one package. */
interface Defined {
  imports: readonly string[];
  rules: readonly Definition[];
}

export class PromptSession {
  readonly #sources: EvalSources;
  readonly #io: Io;
  readonly #version: 'v0' | 'v1';
  readonly #packages = new Map<string, Defined>();
  #package = 'repl';
  #format: Format;
  #open: string | undefined;

  constructor(sources: EvalSources, io: Io, format: 'json' | 'pretty', version: 'v0' | 'v1') {
    this.#sources = sources;
    this.#io = io;
    this.#format = format;
    this.#version = version;
  }

  /** The text before the next line. */
  get prompt(): string {
    return this.#open === undefined ? '> ' : '| ';
  }

  /** Executes a line. Resolves with false if it ends the session. */
  async line(text: string): Promise<boolean> {
    const gaveUp = this.#open !== undefined && text.trim() === '';
    const whole = this.#open === undefined ? text : `${this.#open}\n${text}`;
    this.#open = undefined;
    const [word, ...rest] = whole.trim().split(/\s+/);
    if (word === undefined || word === '') return true;
    if (rest.length === 0 && (word === 'exit' || word === 'quit')) return false;
    if (this.#command(word, rest)) return true;
    try {
      if (word === 'package' && rest.length > 0) this.#enter(whole);
      else if (word === 'import' && rest.length > 0) this.#import(whole);
      else await this.#ruleOrQuery(whole);
    } catch (error) {
      if (!gaveUp && isUnfinished(whole, error)) this.#open = whole;
      else this.#complain(error);
    }
    return true;
  }

  #command(word: string, rest: readonly string[]): boolean {
    if (rest.length === 0 && word === 'help') this.#io.stdout(helpText);
    else if (rest.length === 0 && (word === 'json' || word === 'pretty')) this.#format = word;
    else if (rest.length === 0 && word === 'show') this.#io.stdout(this.#text(this.#package));
    else if (rest.length === 1 && word === 'unset') this.#unset(rest[0]!);
    else return false;
    return true;
  }

  get #defined(): Defined {
    let defined = this.#packages.get(this.#package);
    if (defined === undefined) this.#packages.set(this.#package, (defined = { imports: [], rules: [] }));
    return defined;
  }

  #enter(line: string): void {
    const { package: node } = parseModule('', line, { regoVersion: this.#version });
    this.#package = printRef(node.path).replace(/^data\./, '');
  }

  #import(line: string): void {
    this.#parsed(`${line}\n`);
    this.#defined.imports = [...this.#defined.imports, line.trim()];
  }

  #unset(name: string): void {
    const defined = this.#defined;
    const kept = defined.rules.filter((rule) => rule.name !== name);
    if (kept.length === defined.rules.length) this.#io.stderr(`warning: no matching rules in current module\n`);
    defined.rules = kept;
  }

  /** A text as a module of the current package. Throws CompileErrors. */
  #parsed(text: string): Module {
    const imports = this.#defined.imports.map((line) => `${line}\n`).join('');
    return parseModule('', `package repl\n${imports}${text}`, { regoVersion: this.#version });
  }

  #text(name: string): string {
    const { imports, rules } = this.#packages.get(name) ?? { imports: [], rules: [] };
    return [`package ${name}`, ...(imports.length > 0 ? [imports.join('\n')] : []), ...rules.map(({ text }) => text)]
      .join('\n\n')
      .concat('\n');
  }

  async #ruleOrQuery(text: string): Promise<void> {
    const definition = this.#definition(text);
    if (definition === undefined) await this.#ask(text);
    else await this.#define(definition);
  }

  /** Parses a rule; undefined for a query. An ambiguous text is a rule if it assigns. */
  #definition(text: string): Definition | undefined {
    let module: Module;
    try {
      module = this.#parsed(text);
    } catch {
      return undefined;
    }
    const [rule] = module.rules;
    if (rule === undefined) return undefined;
    const { head, generatedBody } = rule;
    const assigns = head.assign && generatedBody;
    // `p = 1` is a query; in version 0 so are other texts that could be rules.
    const asks = generatedBody && !head.assign && head.key === undefined && !rule.default;
    if (asks || (this.#version === 'v0' && !assigns && this.#isQuery(text))) return undefined;
    return { name: printRef(head.ref), single: assigns && head.args === undefined, text: text.trim() };
  }

  #isQuery(text: string): boolean {
    try {
      parseQuery(text, { regoVersion: this.#version });
      return true;
    } catch {
      return false;
    }
  }

  /** Adds a rule if all rules still compile. */
  async #define(definition: Definition): Promise<void> {
    const defined = this.#defined;
    const { rules } = defined;
    const others = definition.single ? rules.filter(({ name, single }) => name !== definition.name || !single) : rules;
    defined.rules = [...others, definition];
    try {
      await this.#prepared('true');
    } catch (error) {
      defined.rules = rules;
      throw error;
    }
    const verb = others.length < rules.length ? 're-defined' : 'defined';
    this.#io.stdout(`Rule '${definition.name}' ${verb} in package ${this.#package}. Type 'show' to see rules.\n`);
  }

  async #ask(text: string): Promise<void> {
    const query = await this.#prepared(text);
    const input = readAt(this.#sources.bundle.data, ['repl', 'input']);
    const { results } = await query.run(input, { onPrint: (line) => this.#io.stderr(`${line}\n`) });
    if (results.length === 0) this.#io.stdout('undefined\n');
    else printOutput({ errors: [], results }, this.#format, this.#io, 80);
  }

  #prepared(text: string) {
    const own = [...this.#packages.keys()].map((name) => {
      const source = this.#text(name);
      return moduleAt(`repl/${name}`, source, new TextEncoder().encode(source));
    });
    const { loose, bundle, bundles } = this.#sources;
    const modules = [...(loose?.modules ?? []), ...own];
    const flags = new FlagValues(
      new Map<string, (string | boolean)[]>([
        ['package', [this.#package]],
        ['import', this.#defined.imports.map((line) => line.replace(/^import\s+/, ''))],
        ['v0-compatible', [this.#version === 'v0']],
      ]),
    );
    return prepareQuery(text, { bundle, bundles, loose: { data: {}, plans: [], modules } }, flags, new Timers(), this.#io);
  }

  #complain(error: unknown): void {
    this.#io.stderr(`${errorsText(outputErrors(error))}\n`);
  }
}
