/** Checks documents by the rules of a namespace. */

import type { DecideOptions, Engine, Prepared } from '../../engine/index.js';
import type { StatementPlace } from '../../runtime/index.js';
import type { BuiltinError, ObjectValue, PlainObject, Value } from '../../values/index.js';
import { ExactNumber, isArray, isObject, isSet, lookup, quote, sortedMembers } from '../../values/index.js';
import { ConfigFileError } from './files.js';
import type { CheckResult, QueryResult, Result } from './results.js';
import { type CheckedRule, exceptionName, namespacePath } from './rule-names.js';

/** Finds where a document has what the members of a rule complain about. */
type Placing = (
  path: readonly string[],
  members: readonly Value[],
  input: Value,
) => Promise<readonly Result['place'][]>;

interface FoundMember {
  readonly member: Value | typeof passed;
  readonly result: Result;
}

export interface CheckSettings {
  /** Whether an error of a built-in ends the run. */
  readonly showsBuiltinErrors: boolean;
  /** The trace of a query, where it is asked for. */
  readonly trace?:
    | ((query: string, path: readonly string[] | undefined, input: Value) => Promise<readonly string[]>)
    | undefined;
  readonly place?: Placing | undefined;
}

/** The rules of a namespace, ready to check many documents. */
export class NamespaceCheck {
  readonly namespace: string;
  readonly #rules: readonly { readonly rule: CheckedRule; readonly decision: Prepared }[];
  readonly #exceptions: Prepared | undefined;
  readonly #settings: CheckSettings;

  constructor(engine: Engine, namespace: string, rules: readonly CheckedRule[], settings: CheckSettings) {
    this.namespace = namespace;
    this.#settings = settings;
    this.#rules = rules.map((rule) => ({ rule, decision: engine.prepare([...namespacePath(namespace), rule.name]) }));
    const path = [...namespacePath(namespace), 'exception'];
    const hasExceptions = engine.isVirtual(path) || engine.readData(path) !== undefined;
    this.#exceptions = hasExceptions ? engine.prepare(path) : undefined;
  }

  /** Rejects with a ConfigFileError, or with an error of the evaluation. */
  async document(filename: string, input: Value): Promise<CheckResult> {
    const found = {
      successes: 0,
      failures: [] as Result[],
      warnings: [] as Result[],
      exceptions: [] as Result[],
      queries: [] as QueryResult[],
    };
    const excepted = this.#rules.length > 0 ? await this.#excepted(input) : [];
    for (const { rule, decision } of this.#rules) {
      const query = `data.${this.namespace}.exception[_][_] == ${quote(exceptionName(rule.name))}`;
      const exceptions = excepted.filter((name) => name === exceptionName(rule.name)).map(() => ({ msg: query }));
      if (this.#settings.trace !== undefined)
        found.queries.push({
          query,
          passed: exceptions.length === 0,
          outputs: [],
          traces: await this.#settings.trace(query, undefined, input),
        });
      found.exceptions.push(...exceptions);
      // A rule with an exception is not asked.
      if (exceptions.length > 0) {
        found.successes += Math.max(0, rule.count - exceptions.length);
        continue;
      }
      const { results, queried } = await this.#results(rule, decision, input);
      found.queries.push(queried);
      const told = results.filter(({ msg }) => msg !== '');
      found.successes += Math.max(results.length - told.length, rule.count - told.length);
      (rule.kind === 'failure' ? found.failures : found.warnings).push(...told);
    }
    return { filename, namespace: this.namespace, skipped: [], ...found };
  }

  /** The names in lists of exceptions, each as often as it is there. */
  async #excepted(input: Value): Promise<readonly Value[]> {
    const value = await this.#exceptions?.decide(input, ({ value }) => value);
    return value === undefined ? [] : partsOf(value).flatMap(partsOf);
  }

  async #results(
    rule: CheckedRule,
    decision: Prepared,
    input: Value,
  ): Promise<{ results: Result[]; queried: QueryResult }> {
    const query = `data.${this.namespace}.${rule.name}`;
    if (rule.isFunction)
      throw new ConfigFileError(
        `query rule: check: query rule: evaluating policy: 1 error occurred: 1:1: rego_type_error: function ${query} used as reference, not called`,
      );
    const outputs: string[] = [];
    const errors: string[] = [];
    const options = this.#options(outputs, errors);
    const members = await decision.decide(input, ({ value }) => membersOf(value), undefined, options);
    if (errors.length > 0)
      throw new ConfigFileError(`query rule: check: query rule: built-in error: [${errors.join(' ')}]`);
    const found = members.flatMap((member): FoundMember[] => {
      const result = resultOf(member, query);
      return result === undefined ? [] : [{ member, result }];
    });
    const results = await this.#placed(found, rule, input);
    const traces = (await this.#settings.trace?.(query, [...namespacePath(this.namespace), rule.name], input)) ?? [];
    return { results, queried: { query, passed: results.every(({ msg }) => msg === ''), outputs, traces } };
  }

  /** The results with their places, for those that say something. */
  async #placed(found: readonly FoundMember[], rule: CheckedRule, input: Value): Promise<Result[]> {
    const told = found.filter(({ result }) => result.msg !== '');
    if (told.length === 0 || this.#settings.place === undefined) return found.map(({ result }) => result);
    const path = [...namespacePath(this.namespace), rule.name];
    const places = await this.#settings.place(
      path,
      told.map(({ member }) => member as Value),
      input,
    );
    const placed = new Map(told.map(({ result }, i) => [result, places[i]]));
    return found.map(({ result }) => {
      const place = placed.get(result);
      return place === undefined ? result : { ...result, place };
    });
  }

  #options(outputs: string[], errors: string[]): DecideOptions {
    const onRestart = () => {
      outputs.length = 0;
      errors.length = 0;
    };
    return {
      onPrint: (line, place) => void outputs.push(place === undefined ? line : `${place}: ${line}`),
      onRestart,
      ...(this.#settings.showsBuiltinErrors && {
        onBuiltinError: (error, name, place) => void errors.push(errorText(error, name, place)),
      }),
    };
  }
}

function errorText({ code, message }: BuiltinError, name: string, { file, row }: StatementPlace): string {
  const told = message.startsWith(`${name}:`) ? message : `${name}: ${message}`;
  return `{Code:${code} Message:${told} Location:${file}:${row}}`;
}

function partsOf(value: Value): readonly Value[] {
  if (isArray(value)) return value;
  if (isSet(value)) return [...value];
  return isObject(value) ? Object.values(value as PlainObject) : [];
}

/** A rule without members has passed once; one that is undefined says nothing. */
const passed = Symbol('passed');

function membersOf(value: Value | undefined): readonly (Value | typeof passed)[] {
  if (value === undefined) return [];
  const members = isArray(value) ? value : isSet(value) ? sortedMembers(value) : [];
  return members.length === 0 ? [passed] : members;
}

/** The result of a member; undefined for members that say nothing. Throws a ConfigFileError. */
function resultOf(member: Value | typeof passed, query: string): Result | undefined {
  if (member === passed) return { msg: '' };
  if (typeof member === 'string') return { msg: member, metadata: { query } };
  if (!isObject(member)) return undefined;
  const msg = lookup(member, 'msg');
  if (typeof msg !== 'string')
    throw new ConfigFileError('query rule: check: query rule: new result: "msg" field must be present and a string');
  const loc = locationOf(lookup(member, '_loc'));
  const rest = Object.entries(member as PlainObject).filter(([key]) => key !== 'msg' && key !== '_loc');
  return { msg, ...(loc && { loc }), metadata: { ...Object.fromEntries(rest), query } };
}

function locationOf(value: Value | undefined): Result['loc'] {
  if (value === undefined || !isObject(value)) return undefined;
  const file = lookup(value as ObjectValue, 'file');
  const line = lookup(value as ObjectValue, 'line');
  const isLine = typeof line === 'number' || line instanceof ExactNumber;
  const loc = { ...(typeof file === 'string' && file !== '' && { file }), ...(isLine && { line: String(line) }) };
  return Object.keys(loc).length === 0 ? undefined : loc;
}
