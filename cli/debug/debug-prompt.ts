/** The lines of a debug session: commands as users write them, and their answers. */

import { shortText, termText, type Value } from '../../values/index.js';
import type {
  Breakpoint,
  DebugFrame,
  DebugSession,
  EvaluatedExpression,
  ExceptionFilter,
  Granularity,
  ScopeName,
  SessionFilter,
  SessionVariable,
  Stop,
  TextRange,
} from '../../views/index.js';
import { DebugError, newsLines, unboundText, undefinedText } from '../../views/index.js';
import { documentPath, replacedAt } from '../dap/document-path.js';
import { ArgumentError } from '../dap/protocol/arguments.js';
import { completeLine } from './complete-line.js';
import { parseBreakpoint, parseBreakpointPlace } from './place-text.js';
import { promptHelp } from './prompt-help.js';
import { type PromptStyle, plainStyle } from './prompt-style.js';

/** Characters of a value in a list of values. */
const listedValue = 200;

const filters: readonly ExceptionFilter[] = ['error', 'undefined', 'fail', 'conflict', 'rule-exit', 'skipped'];

/** The stops of each filter, for people. */
const filterTexts: Readonly<Record<ExceptionFilter, string>> = {
  error: 'where a built-in fails or the evaluation ends with an error',
  undefined: 'where a name or a call is undefined',
  fail: 'where an expression fails',
  conflict: 'where two values meet',
  'rule-exit': 'where a rule ends',
  skipped: 'where the rule index passes over a rule',
};

type Action = (rest: string) => void | Promise<void>;

export class DebugPrompt {
  readonly #session: DebugSession;
  readonly #print: (text: string) => void;
  readonly #actions: ReadonlyMap<string, Action>;
  readonly #filters = new Map<ExceptionFilter, SessionFilter>();
  readonly #watched: string[] = [];
  readonly #style: PromptStyle;
  readonly #repeats: boolean;
  /** The last movement, which an empty line repeats. */
  #lastMove = '';
  #granularity: Granularity = 'expression';
  #frame = 0;
  #isDone = false;

  /**
   * @param print writes lines, which end with a line feed
   * @param options `repeats`: an empty line repeats the last movement
   */
  constructor(
    session: DebugSession,
    print: (text: string) => void,
    { style = plainStyle, repeats = false }: { readonly style?: PromptStyle; readonly repeats?: boolean } = {},
  ) {
    this.#session = session;
    this.#print = print;
    this.#style = style;
    this.#repeats = repeats;
    this.#actions = this.#table();
  }

  /** The completions of a line's end, and that end: as `readline` asks for it. */
  complete(line: string): [string[], string] {
    const frame = this.#current() === undefined ? undefined : this.#frame;
    return completeLine(line, [...this.#actions.keys()], this.#session, frame);
  }

  /** Evaluates up to the first expression. */
  async start(): Promise<void> {
    this.#show(await this.#session.start({ stopOnEntry: true }));
    await this.#showWatched();
  }

  /** Executes a line; false if it ends the session. Faults are told, not thrown. */
  async line(text: string): Promise<boolean> {
    try {
      await this.#execute(text.trim());
    } catch (error) {
      if (!(error instanceof DebugError) && !(error instanceof ArgumentError)) throw error;
      this.#print(`${this.#style.bad(`error: ${error.message}`)}\n`);
    }
    return !this.#isDone;
  }

  async #execute(given: string): Promise<void> {
    const text = given === '' && this.#repeats ? this.#lastMove : given;
    if (text === '' || text.startsWith('#')) return;
    const [, place, value = ''] = /^((?:input|data)(?:[.[][^=]*)?)\s*=(?!=)\s*(.*)$/s.exec(text) ?? [];
    if (place !== undefined) return await this.#set(place.trim(), value);
    const [word = ''] = text.split(/\s/, 1);
    const action = this.#actions.get(word);
    if (action === undefined) throw new DebugError('invalid_expression', `there is no command ${word}: see help`);
    this.#lastMove = repeated.has(word) ? text : '';
    await action(text.slice(word.length).trim());
  }

  #table(): ReadonlyMap<string, Action> {
    const session = this.#session;
    const move = (run: (rest: string) => Promise<Stop>): Action => {
      return async (rest) => {
        this.#show(await run(rest));
        await this.#showWatched();
      };
    };
    const by = () => ({ granularity: this.#granularity });
    const table: readonly (readonly [names: string, action: Action])[] = [
      [
        'step s',
        move((target) => session.into({ ...by(), ...(target !== '' && { target: this.#targetNamed(target) }) })),
      ],
      ['next n', move(() => session.over(by()))],
      ['out o', move(() => session.out(by()))],
      ['back B', move((name) => (name === '' ? session.back(by()) : session.backToWrite(name, this.#frame)))],
      ['continue c', move(() => session.continue())],
      ['rcontinue reverse-continue rc', move(() => session.reverseContinue())],
      ['until u', move((rest) => session.until(parseBreakpointPlace(rest, this.#file())))],
      ['restart r', move(() => session.restart(undefined, { stopOnEntry: true }))],
      ['by', (rest) => this.#stepBy(rest)],
      ['break b', (rest) => this.#break(rest)],
      ['breaks', () => this.#breaks()],
      ['delete d', (rest) => this.#delete(rest)],
      ...filters.map(
        (filter) =>
          [filter === 'rule-exit' ? 'exit rule-exit' : filter, (rest: string) => this.#filter(filter, rest)] as const,
      ),
      ['where w stack', () => this.#where()],
      ['frame f', (rest) => this.#choose(rest)],
      ['list l', (rest) => this.#list(countOf(rest, 5))],
      ['locals', () => this.#scope('Variables', 'there are no variables here')],
      ['print p', (rest) => this.#printValue(rest)],
      ['watch', (rest) => this.#watch(rest)],
      ['unwatch', () => void this.#watched.splice(0)],
      ['rules', () => this.#rules()],
      ['why', () => this.#why()],
      ['plan', (rest) => this.#plan(countOf(rest, 4))],
      ['help h ?', () => this.#print(promptHelp)],
      [
        'quit q',
        () => {
          this.#isDone = true;
        },
      ],
    ];
    return new Map(table.flatMap(([names, action]) => names.split(' ').map((name) => [name, action] as const)));
  }

  // Stops

  #show(stop: Stop): void {
    this.#frame = 0;
    this.#print(`${this.#style.strong(this.#headline(stop))}\n`);
    if (stop.frame?.range !== undefined) this.#list(0);
    else if (stop.frame !== undefined) this.#plan(0);
    for (const line of newsLines(stop.news)) this.#print(`  ${this.#style.dim(line)}\n`);
  }

  #headline({ reason, text, filter, breakpoints, frame, outcome }: Stop): string {
    if (reason === 'end') {
      if (outcome?.kind === 'error') return `end: ${outcome.code}: ${outcome.message}${at(outcome.place)}`;
      return `end: ${outcomeText(outcome?.value, outcome?.solutions ?? [])}${loggedText(outcome?.value, outcome?.logged)}`;
    }
    const what =
      reason === 'exception'
        ? `${filter === 'skipped' ? '' : `${filter}: `}${text}`
        : [reason, ...(breakpoints ?? []).map(String)].join(' ') + (text === undefined ? '' : `: ${text}`);
    return `${what}, in ${frame?.name ?? 'no frame'}${at(frame?.range)}`;
  }

  async #showWatched(): Promise<void> {
    if (this.#session.stop?.frame === undefined) return;
    for (const text of this.#watched) await this.#showValue(text);
  }

  /** `  role = "admin"`; `  role has no value here`. */
  async #showValue(text: string): Promise<void> {
    const { value, isBound } = await this.#valueOf(text);
    const name = isBound ? `${text} = ` : /^\w+$/.test(text.trim()) ? '' : `${text}: `;
    this.#print(`  ${name}${value}\n`);
  }

  #current(): DebugFrame | undefined {
    return this.#session.frames()[this.#frame];
  }

  #file(): string | undefined {
    return this.#current()?.range?.file;
  }

  #stepBy(rest: string): void {
    if (rest !== 'expression' && rest !== 'rule' && rest !== 'statement')
      throw new DebugError('invalid_expression', 'a step passes an expression, a rule or a statement');
    this.#granularity = rest;
  }

  #targetNamed(name: string): string {
    const targets = this.#session.stepTargets(this.#frame).map((target) => target.name);
    const found = targets.filter(
      (target) => target === name || bare(target) === name || bare(target).endsWith(`.${name}`),
    );
    const [target, ...others] = found;
    if (target !== undefined && others.length === 0) return target;
    throw new DebugError(
      'unknown_statement',
      targets.length === 0 ? 'no rule is called here' : `${name} is not called here: ${targets.join(', ')}`,
    );
  }

  // Breakpoints

  #break(rest: string): void {
    if (rest === '') return this.#breaks();
    this.#print(`${breakpointText(this.#session.addBreakpoint(parseBreakpoint(rest, this.#file())))}\n`);
  }

  #breaks(): void {
    const { breakpoints } = this.#session;
    this.#print(
      breakpoints.length === 0
        ? 'there are no breakpoints\n'
        : breakpoints.map((one) => `${breakpointText(one)}, hit ${one.hits}\n`).join(''),
    );
  }

  #delete(rest: string): void {
    const numbers = rest === 'all' ? this.#session.breakpoints.map(({ id }) => id) : rest.split(/[\s,]+/).map(Number);
    for (const id of numbers)
      if (!this.#session.removeBreakpoint(id))
        throw new DebugError('invalid_breakpoint', `there is no breakpoint ${rest}`);
  }

  #filter(filter: ExceptionFilter, rest: string): void {
    const [, condition] = /^if\s+(.+)$/s.exec(rest) ?? [];
    if (rest !== '' && condition === undefined)
      throw new DebugError('invalid_breakpoint', `${filter} takes nothing, or if EXPRESSION`);
    const before = this.#filters.get(filter);
    const isOn = before === undefined || condition !== undefined;
    if (isOn) this.#filters.set(filter, { filter, ...(condition !== undefined && { condition }) });
    else this.#filters.delete(filter);
    try {
      this.#session.setFilters([...this.#filters.values()]);
    } catch (error) {
      if (before === undefined) this.#filters.delete(filter);
      else this.#filters.set(filter, before);
      throw error;
    }
    this.#print(
      `stops ${isOn ? '' : 'no more '}${filterTexts[filter]}${condition === undefined ? '' : ` if ${condition}`}\n`,
    );
  }

  // The views

  #where(): void {
    const lines = this.#session
      .frames()
      .map(
        ({ name, range, kind }, i) => `${i === this.#frame ? '*' : ' '} ${i} ${shownKind(kind)}${name}${at(range)}\n`,
      );
    this.#print(lines.length === 0 ? 'the evaluation has ended\n' : lines.join(''));
  }

  #choose(rest: string): void {
    const frame = this.#session.frames()[Number(rest)];
    if (rest === '' || frame === undefined)
      throw new DebugError('unknown_frame', `there is no frame ${rest}: see where`);
    this.#frame = Number(rest);
    this.#print(`in ${frame.name}${at(frame.range)}\n`);
    if (frame.range !== undefined) this.#list(0);
  }

  /** The lines around the current place. */
  #list(around: number): void {
    const range = this.#current()?.range;
    if (range === undefined) return this.#plan(around);
    let text: string;
    try {
      text = this.#session.sourceText(range.file);
    } catch (error) {
      if (!(error instanceof DebugError)) throw error;
      return this.#plan(around);
    }
    const lines = text.split('\n');
    const first = Math.max(1, range.row - around);
    const last = Math.min(lines.length, Math.max(range.row, range.endRow) + around, range.row + around + longestRange);
    const width = String(last).length;
    for (let row = first; row <= last; row++) {
      const mark = row >= range.row && row <= range.endRow ? '>' : ' ';
      const line = lines[row - 1] ?? '';
      const shown = `${mark} ${String(row).padStart(width)} | ${line}`;
      this.#print(`${mark === '>' ? this.#style.good(shown) : shown}\n`);
      if (row === range.row && range.endRow === row) this.#print(underline(line, range, width));
    }
  }

  #plan(around: number): void {
    const frame = this.#current();
    if (frame === undefined) return this.#print('the evaluation has ended\n');
    for (const { address, text, depth, reason } of this.#session.statements(frame.address, around, around)) {
      const mark = address === frame.address ? '>' : ' ';
      this.#print(
        `${mark} ${address}  ${'  '.repeat(Math.min(depth - 1, deepestIndent))}${text}${reason === undefined ? '' : `   (${reason})`}\n`,
      );
    }
  }

  #variables(name: ScopeName): readonly SessionVariable[] {
    if (this.#current() === undefined) return [];
    return (
      this.#session
        .scopes(this.#frame)
        .find((scope) => scope.name === name)
        ?.variables() ?? []
    );
  }

  #scope(name: ScopeName, empty: string): void {
    const all = this.#variables(name);
    const isByStatement = !this.#session.hasNames || this.#granularity === 'statement';
    const showsLocals = name === 'Variables' && all.length === 0 && isByStatement;
    const shown = showsLocals ? this.#variables('Locals') : all;
    this.#print(
      shown.length === 0 ? `${empty}\n` : shown.map((one) => `${one.name} = ${listed(one.value)}\n`).join(''),
    );
  }

  #rules(): void {
    const soFar = this.#variables('Rule so far').map(({ name, value }) => `${name} = ${listed(value)}, so far\n`);
    const computed = this.#variables('Rules computed').map(({ name, value }) => `${name} = ${listed(value)}\n`);
    const lines = [...soFar, ...computed];
    this.#print(lines.length === 0 ? 'no rule has a value yet\n' : lines.join(''));
  }

  #why(): void {
    const skipped = this.#session.skipped().map(({ name, range, reason }) => `skipped ${name}${at(range)}: ${reason}`);
    const lines = [...this.#session.why(), ...skipped];
    this.#print(lines.length === 0 ? 'nothing has failed before\n' : lines.map((line) => `${line}\n`).join(''));
  }

  async #printValue(rest: string): Promise<void> {
    if (rest === '') throw new DebugError('invalid_expression', 'print takes an expression');
    this.#print(`${(await this.#valueOf(rest)).value}\n`);
  }

  async #watch(rest: string): Promise<void> {
    if (rest === '') throw new DebugError('invalid_expression', 'watch takes an expression');
    this.#watched.push(rest);
    if (this.#current() !== undefined) await this.#showValue(rest);
  }

  async #valueOf(text: string): Promise<{ readonly value: string; readonly isBound: boolean }> {
    const frame = this.#current() === undefined ? undefined : this.#frame;
    try {
      const evaluated = await this.#session.evaluate(text, frame);
      return { value: evaluatedText(evaluated), isBound: evaluated.unbound === undefined };
    } catch (error) {
      if (error instanceof DebugError) return { value: `error: ${error.message}`, isBound: true };
      throw error;
    }
  }

  async #set(place: string, text: string): Promise<void> {
    const { document, keys } = documentPath(place);
    const { value, error } = await this.#session.evaluate(text);
    if (error !== undefined) throw new DebugError('invalid_value', error.message);
    if (value === undefined) throw new DebugError('invalid_value', `${text} is undefined`);
    const changed: Value = keys.length === 0 ? value : replacedAt(this.#session[document], keys, value);
    this.#show(await this.#session.restart({ [document]: changed }, { stopOnEntry: true }));
    await this.#showWatched();
  }
}

/** Commands that an empty line repeats at a terminal. */
const repeated: ReadonlySet<string> = new Set(
  ['step s', 'next n', 'out o', 'back B', 'continue c', 'rcontinue reverse-continue rc'].flatMap((names) =>
    names.split(' '),
  ),
);

/** Lines of one expression. */
const longestRange = 20;

const deepestIndent = 20;

/** Marks an expression that is not the first of its line. */
function underline(line: string, { col, endCol }: TextRange, width: number): string {
  const before = [...line].slice(0, col - 1);
  if (before.every((c) => c === ' ' || c === '\t')) return '';
  const blank = before.map((c) => (c === '\t' ? c : ' ')).join('');
  return `${' '.repeat(width + 2)} | ${blank}${'^'.repeat(Math.max(1, endCol - col))}\n`;
}

function bare(name: string): string {
  return name.replace(/\(.*$/s, '');
}

function countOf(text: string, otherwise: number): number {
  if (text === '') return otherwise;
  if (!/^\d{1,4}$/.test(text)) throw new DebugError('invalid_expression', `${text} is no number of lines`);
  return Number(text);
}

function at(range: TextRange | undefined): string {
  return range === undefined ? '' : ` at ${range.file}:${range.row}`;
}

function shownKind(kind: DebugFrame['kind']): string {
  return kind === 'comprehension' ? `${kind} ` : '';
}

function listed(value: Value | undefined): string {
  return value === undefined ? 'undefined' : shortText(value, listedValue);
}

function evaluatedText({ value, solutions, error, failures, unbound }: EvaluatedExpression): string {
  if (unbound !== undefined) return unboundText(unbound);
  if (error !== undefined) return `error: ${error.message}`;
  if (value === undefined) return undefinedText(failures);
  return solutions.length > 1 ? solutions.map(listed).join(' | ') : termText(value);
}

function outcomeText(value: Value | undefined, solutions: readonly Value[]): string {
  if (value === undefined) return 'undefined';
  return solutions.length > 1 ? `${solutions.length} solutions: ${solutions.map(listed).join(' | ')}` : termText(value);
}

/** A decision that the log has otherwise. */
function loggedText(value: Value | undefined, logged: Value | undefined): string {
  if (logged === undefined) return '';
  const text = termText(logged);
  return value !== undefined && termText(value) === text ? ', as logged' : `, but logged was ${text}`;
}

function breakpointText({ id, place, verified, message, range, condition, hit, log }: Breakpoint): string {
  const name =
    place.kind === 'line'
      ? `${place.file}:${place.row}`
      : place.kind === 'rule'
        ? place.name
        : place.kind === 'statement'
          ? place.address
          : place.path;
  const parts = [
    `breakpoint ${id} ${verified ? '' : 'stops nowhere: '}`,
    verified ? `at ${range === undefined ? name : `${range.file}:${range.row}`}` : (message ?? name),
    condition === undefined ? '' : ` if ${condition}`,
    hit === undefined ? '' : ` at visit ${hit}`,
    log === undefined ? '' : ` logs ${log}`,
    verified && message !== undefined ? ` (${message})` : '',
  ];
  return parts.join('');
}
