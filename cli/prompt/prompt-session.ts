/** The state of the interactive prompt, and the execution of lines. */

import {
  CompileErrors,
  LeftBrace,
  LeftBracket,
  LeftParen,
  lex,
  RightBrace,
  RightBracket,
  RightParen,
  Source,
  type TokenType,
  versionOneKeywords,
} from '../../compiler/index.js';
import { readAt, type TraceOptions } from '../../engine/index.js';
import { moduleAt } from '../../engine/node.js';
import { allAtOnce } from '../../values/index.js';
import type { EvalSources } from '../eval/eval-sources.js';
import { prepareQuery } from '../eval/source-eval.js';
import { Timers } from '../eval/timers.js';
import { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorsText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import type { OutputFormat } from '../output/output.js';
import { printOutput } from '../output/results.js';
import { PromptPackages } from './packages.js';

export class PromptSession {
  readonly #sources: EvalSources;
  readonly #io: Io;
  readonly #packages: PromptPackages;
  #format: OutputFormat;
  #open: string | undefined;
  /** The output that `trace` and `notes` have turned on. */
  #explain: TraceOptions['mode'] | undefined;

  constructor(sources: EvalSources, io: Io, format: 'json' | 'pretty', version: 'v0' | 'v1') {
    this.#sources = sources;
    this.#io = io;
    this.#format = format;
    this.#packages = new PromptPackages(version);
  }

  /** The text before the next line. */
  get prompt(): string {
    return this.#open === undefined ? '> ' : '| ';
  }

  /** Executes a line. Resolves with false if it ends the session. */
  async line(text: string): Promise<boolean> {
    const isEnded = this.#open !== undefined && text.trim() === '';
    const whole = this.#open === undefined ? text : `${this.#open}\n${text}`;
    this.#open = undefined;
    const [word, ...rest] = whole.trim().split(/\s+/);
    if (word === undefined || word === '') return true;
    if (rest.length === 0 && (word === 'exit' || word === 'quit')) return false;
    if (this.#command(word, rest)) return true;
    try {
      if (word === 'package' && rest.length > 0) this.#packages.enter(whole);
      else if (word === 'import' && rest.length > 0) this.#packages.import(whole);
      else await this.#ruleOrQuery(whole);
    } catch (error) {
      if (!isEnded && [error, this.#packages.errorOf(whole)].some((each) => isUnfinished(whole, each)))
        this.#open = whole;
      else this.#io.stderr(`${errorsText(outputErrors(error), this.#io)}\n`);
    }
    return true;
  }

  #command(word: string, rest: readonly string[]): boolean {
    const [name, ...others] = rest;
    if (rest.length === 0 && word === 'help') this.#io.stdout(queryPromptHelp);
    else if (rest.length === 0 && (word === 'json' || word === 'pretty')) this.#format = word;
    else if (rest.length === 0 && (word === 'trace' || word === 'notes'))
      this.#toggle(word === 'trace' ? 'full' : 'notes');
    else if (rest.length === 0 && word === 'show') this.#io.stdout(this.#packages.text(this.#packages.current));
    else if (name !== undefined && others.length === 0 && word === 'unset') {
      if (!this.#packages.unset(name)) this.#io.stderr(`warning: no matching rules in current module\n`);
    } else return false;
    return true;
  }

  async #ruleOrQuery(text: string): Promise<void> {
    const definition = this.#packages.definition(text);
    if (definition === undefined) {
      await this.#evaluate(text);
      return;
    }
    const replaced = await this.#packages.define(definition, () => this.#prepare('true'));
    const verb = replaced ? 're-defined' : 'defined';
    this.#io.stdout(
      `Rule '${definition.name}' ${verb} in package ${this.#packages.current}. Type 'show' to see rules.\n`,
    );
  }

  async #evaluate(text: string): Promise<void> {
    const query = await this.#prepare(text);
    const input = readAt(this.#sources.bundle.data, ['repl', 'input']);
    const answer = await query.ask(input, { onPrint: (line) => this.#io.stderr(`${line}\n`) });
    const { trace, results } = answer;
    if (trace !== undefined && !trace.isEmpty) this.#io.stdout(`${allAtOnce(trace.toText()).join('\n')}\n`);
    if (results.length === 0) this.#io.stdout('undefined\n');
    else printOutput({ errors: [], results }, this.#format, this.#io, { limit: 80, varValues: false });
  }

  #toggle(mode: TraceOptions['mode']): void {
    this.#explain = this.#explain === mode ? undefined : mode;
  }

  #prepare(text: string) {
    const own = [...this.#packages.texts].map(([name, source]) =>
      moduleAt(`repl/${name}`, source, new TextEncoder().encode(source)),
    );
    const { loose, bundle, bundles } = this.#sources;
    const modules = [...(loose?.modules ?? []), ...own];
    const flags = new FlagValues(
      new Map<string, (string | boolean)[]>([
        ['package', [this.#packages.current]],
        ['import', this.#packages.imports.map((line) => line.replace(/^import\s+/, ''))],
        ...(this.#explain === undefined ? [] : [['explain', [this.#explain]] as [string, string[]]]),
        ['v0-compatible', [this.#packages.version === 'v0']],
      ]),
    );
    return prepareQuery(
      text,
      { bundle, bundles, loose: { data: {}, plans: [], wasm: [], modules } },
      flags,
      new Timers(),
      this.#io,
    );
  }
}

/** The output of `help` at the prompt. */
const queryPromptHelp = `Type a query to evaluate it, or a rule to define it.

Examples
    > data                          show all documents
    > x := {"a": [1, 2]}            define a rule
    > x.a[i] = v                    show all bindings
    > p contains v if v := x.a[_]   define a set

A line with an open bracket continues on the next line; an empty line ends it.

Commands
    help              print this text
    json, pretty      set the output format
    trace             show how queries are evaluated, or stop that
    notes             show the notes of trace(...) alone, or stop that
    package <path>    set the package of rules and queries
    import <path>     add an import to the package
    show              print the package
    unset <rule>      remove a rule
    exit              end the session (or Ctrl-D)

The input is the document loaded at data.repl.input.
`;

/** Whether an invalid text may become valid with further lines. */
function isUnfinished(text: string, error: unknown): boolean {
  if (!(error instanceof CompileErrors)) return false;
  return hasOpenBracket(text) || error.diagnostics.some(({ message }) => /\beof\b|non-terminated/.test(message));
}

const opening: readonly TokenType[] = [LeftParen, LeftBracket, LeftBrace];
const closing: readonly TokenType[] = [RightParen, RightBracket, RightBrace];

function hasOpenBracket(text: string): boolean {
  let open = 0;
  for (const { tokenType } of lex(new Source('', text), versionOneKeywords).tokens) {
    if (opening.includes(tokenType)) open++;
    else if (closing.includes(tokenType)) open--;
  }
  return open > 0;
}
