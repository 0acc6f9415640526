import { createInterface } from 'node:readline';
import type { LaunchArguments } from '../../views/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import {
  bundleFlag,
  capabilitiesFlag,
  dataFlag,
  ignoreFlag,
  importFlag,
  inputFlag,
  packageFlag,
  v0Flag,
  v1Flag,
} from '../compile-flags.js';
import { DebugPrompt } from '../debug/debug-prompt.js';
import { launcher } from '../debug/launch.js';
import { plainStyle } from '../debug/prompt-style.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { explanationStyle } from '../output/color.js';
import { errorsText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { sourceRootFlag } from '../sources/source-roots.js';

export const debugCommand: Command = {
  name: 'debug',
  use: '[query]',
  long: `Steps through a query, a test, a logged decision or a plan, expression by expression, forwards and backwards.

It reads commands from standard input, one on each line: 'help' lists them. Results of built-ins such as http.send are recorded, so that going back gives the same values.`,
  examples: [
    ['Step through a query', 'writ debug -d policies -i input.json data.authz.allow'],
    ['Step through a test', 'writ debug -d policies -d data.json --test test_owner'],
    ['Step through a decision of the decision log', 'writ debug -b bundle.tar.gz --decision event.json'],
    ['Step through the statements of a plan', 'writ debug --plan plan.json -i input.json'],
    ['Serve editors by the debug adapter protocol', 'writ debug --dap'],
    [
      'Read the commands from a pipe',
      "printf 'break authz.rego:7\\nc\\nwhere\\nq\\n' | writ debug -d policies -i input.json data.authz.allow",
    ],
  ],
  flags: [
    ...group(
      'What to debug',
      { name: 'test', type: 'string', usage: 'name of a test: data.authz_test.test_owner, or its end' },
      { name: 'decision', type: 'string', usage: 'file with an event of a decision log' },
      {
        name: 'decision-id',
        type: 'string',
        usage: 'with --decision: decision_id of the event, or its number in the file, from 1',
      },
      { name: 'plan', type: 'string', usage: 'plan, or bundle with one, to step through its statements' },
      { name: 'entrypoint', short: 'e', type: 'string', usage: 'with --plan: entrypoint' },
      inputFlag,
      packageFlag,
      importFlag,
      { name: 'strict-builtin-errors', type: 'bool', usage: 'end with the first error of a built-in' },
    ),
    ...group(
      'Policies and data',
      dataFlag,
      { ...bundleFlag, usage: 'bundle to load: an archive, a directory or a plan' },
      ignoreFlag,
      sourceRootFlag,
      capabilitiesFlag,
      v0Flag,
      v1Flag,
    ),
    ...group('Editors', {
      name: 'dap',
      type: 'string',
      bare: 'stdio',
      usage: 'serve the debug adapter protocol: on standard input and output, or at an address, host:port',
    }),
  ],
  async run(args, io) {
    const dap = args.flags.text('dap');
    if (dap !== undefined) {
      if (asksForSomething(args))
        throw usageError('--dap takes no query and no other flags: the editor says what to evaluate');
      return await (await import('../debug/dap.js')).serveDap(dap, launcher(io), io);
    }
    const asked = launchArguments(args);
    const session = await launcher(io)(asked, {
      onOutput: ({ kind, text, place }) =>
        io.stdout(`${kind}${place === undefined ? '' : ` ${place.file}:${place.row}`}: ${text}\n`),
    }).catch((error: unknown) => {
      throw loadFailure(error, io);
    });
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
    const style = isTerminal && io.color ? explanationStyle : plainStyle;
    const prompt = new DebugPrompt(session, io.stdout, { style, repeats: isTerminal });
    const reader = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: isTerminal,
      completer: (line: string) => prompt.complete(line),
    });
    // Lines of a pipe are read ahead: it may have ended while the first ones are executed.
    let isClosed = false;
    reader.once('close', () => (isClosed = true));
    // The first press stops the evaluation, or ends the command where nothing is evaluated.
    reader.on('SIGINT', () => (session.stop === undefined ? session.pause() : reader.close()));
    const ask = () => {
      reader.setPrompt(isTerminal ? '(debug) ' : '');
      if (!isClosed && isTerminal) reader.prompt();
    };
    await prompt.start();
    ask();
    for await (const line of reader) {
      if (!(await prompt.line(line))) break;
      ask();
    }
    reader.close();
    session.dispose();
    return exitCodes.ok;
  },
};

function asksForSomething({ flags, positionals }: Arguments): boolean {
  return positionals.length > 0 || debugCommand.flags.some(({ name }) => name !== 'dap' && flags.has(name));
}

/** Throws a CommandError unless one thing is named. */
function launchArguments({ flags, positionals }: Arguments): LaunchArguments {
  const [query, ...others] = positionals;
  if (others.length > 0) throw usageError('specify at most one query argument');
  const named = [query, ...['test', 'decision', 'plan'].map((name) => flags.text(name))].filter(
    (one) => one !== undefined,
  );
  if (named.length !== 1) throw usageError('specify a query, --test, --decision or --plan, and only one of them');
  if (flags.has('decision-id') && !flags.has('decision'))
    throw usageError('--decision-id names an event of the file of --decision');
  const text = (name: string) => flags.text(name) || undefined;
  const given: { readonly [K in keyof LaunchArguments]: LaunchArguments[K] | undefined } = {
    query,
    test: text('test'),
    decision: text('decision'),
    decisionId: text('decision-id'),
    plan: text('plan'),
    entrypoint: text('entrypoint'),
    inputPath: text('input'),
    package: text('package'),
    capabilities: text('capabilities'),
    data: flags.all('data'),
    bundle: flags.all('bundle'),
    ignore: flags.all('ignore'),
    sourceRoots: flags.all('source-root'),
    imports: flags.all('import'),
    v0Compatible: flags.on('v0-compatible'),
    v1Compatible: flags.on('v1-compatible'),
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as LaunchArguments;
}

/** Errors of loading and compiling, as other commands print them. */
function loadFailure(error: unknown, io: Io): CommandError {
  return new CommandError(errorsText(outputErrors(error), io).trimEnd(), exitCodes.evaluationError);
}
