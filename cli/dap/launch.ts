/** The arguments of `launch` and `attach`: the names of editors' settings. */

import { jsonValue, parseJson, type Value } from '../../values/index.js';
import type { LaunchArguments } from '../../views/index.js';
import { ArgumentError, type RequestArguments } from './protocol/arguments.js';

/** The stops of a session and its messages, beside the expression that is evaluated. */
export interface LaunchSettings {
  readonly stopOnEntry: boolean;
  /** Stops where an expression fails, whatever the filters of the client say. */
  readonly stopOnFail: boolean;
  /** Stops at the end, before the session is over. */
  readonly stopOnResult: boolean;
  readonly printsOutput: boolean;
  /** Evaluates without stops. */
  readonly isPlainRun: boolean;
  /** Whether a plain step passes a rule, and not an expression. */
  readonly stepsRules: boolean;
  /** Settings that are known and have no effect here. */
  readonly notes: readonly string[];
}

const commands = ['eval', 'test', 'decision', 'plan'] as const;

/** @param otherwise whether it stops at the entry if the arguments do not say */
export function settingsOf(args: RequestArguments, otherwise = { stopOnEntry: false }): LaunchSettings {
  const notes: string[] = [];
  const skipped = args.texts('skipOps');
  const other = skipped.filter((op) => op !== 'Eval');
  if (other.length > 0)
    notes.push(`skipOps: ${other.join(', ')} has no effect: steps pass expressions, or rules where Eval is skipped`);
  const stepBy = args.text('stepBy') ?? 'expression';
  if (stepBy !== 'expression' && stepBy !== 'rule')
    throw new ArgumentError('launch: "stepBy" must be "expression" or "rule"');
  return {
    stopOnEntry: args.flag('stopOnEntry') ?? otherwise.stopOnEntry,
    stopOnFail: args.flag('stopOnFail') === true,
    stopOnResult: args.flag('stopOnResult') === true,
    printsOutput: args.flag('enablePrint') !== false,
    isPlainRun: args.flag('noDebug') === true,
    stepsRules: stepBy === 'rule' || skipped.includes('Eval'),
    notes,
  };
}

/** The evaluation to debug. Throws an ArgumentError for arguments that do not say it. */
export function launchArguments(args: RequestArguments): LaunchArguments {
  const command = args.text('command') ?? 'eval';
  const fields = {
    data: args.texts('dataPaths'),
    bundle: args.texts('bundlePaths'),
    ignore: args.texts('ignore'),
    imports: args.texts('imports'),
    sourceRoots: sourceRootsOf(args),
    ...optional('inputPath', args.text('inputPath')),
    ...optional('input', inputOf(args)),
    ...optional('package', args.text('package')),
    ...optional('capabilities', args.text('capabilities')),
    v0Compatible: args.flag('v0Compatible') === true,
    v1Compatible: args.flag('v1Compatible') === true,
    strictBuiltinErrors: (args.flag('strictBuiltinErrors') ?? args.flag('strict')) === true,
  };
  if (args.has('input') && args.has('inputPath')) throw new ArgumentError('launch: "input" or "inputPath", not both');
  switch (command) {
    case 'eval':
      return { ...fields, query: args.neededText('query') };
    case 'test':
      return { ...fields, test: args.neededText('test') };
    case 'decision':
      return { ...fields, decision: args.neededText('decision'), ...optional('decisionId', decisionIdOf(args)) };
    case 'plan':
      return { ...fields, plan: args.neededText('plan'), ...optional('entrypoint', args.text('entrypoint')) };
    default:
      throw new ArgumentError(`launch: "command" must be one of ${commands.join(', ')}`);
  }
}

/** A list of `FROM=TO` and folders, or an object of names and folders, as in other adapters. */
function sourceRootsOf(args: RequestArguments): readonly string[] {
  const given = args.raw('sourceRoots');
  if (typeof given === 'string') return [given];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return args.texts('sourceRoots');
  return Object.entries(given).map(([from, to]) => {
    if (typeof to !== 'string') throw new ArgumentError(`launch: "sourceRoots" has no folder for ${from}`);
    return `${from}=${to}`;
  });
}

/** A place in the file may be a number. */
function decisionIdOf(args: RequestArguments): string | undefined {
  const given = args.raw('decisionId');
  return typeof given === 'number' ? String(given) : args.text('decisionId');
}

/** A text is JSON, as the reference's adapter takes it; anything else is the document. */
function inputOf(args: RequestArguments): Value | undefined {
  const given = args.raw('input');
  if (given === undefined) return undefined;
  if (typeof given !== 'string')
    return jsonValue(given, () => new ArgumentError('launch: "input" is no JSON document'));
  if (given.trim() === '') return undefined;
  try {
    return parseJson(given);
  } catch (error) {
    throw new ArgumentError(`launch: "input" is a text that is not JSON: ${(error as Error).message}`);
  }
}

function optional<K extends string, V>(name: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in K]: V });
}
