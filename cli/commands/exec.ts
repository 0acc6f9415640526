import type { LogFormat, Logger, LogLevel } from '../../server/index.js';
import type { Arguments } from '../args.js';
import { skipVerifyFlag } from '../bundles/signing.js';
import type { Command } from '../command.js';
import { bundleFlag, noCodegenFlag, stdinInputFlag, v0Flag, v1Flag, yamlFlag } from '../compile-flags.js';
import { checkFailFlags, checkTally, decideAll } from '../exec/report.js';
import { exitCodes } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
import type { Io } from '../io.js';
import { configurationFlags, logFlags } from '../server/configuration-flags.js';

export const execCommand: Command = {
  name: 'exec',
  use: '<path> [<path> [...]]',
  long: `Makes one decision for each of many input files, JSON or YAML. In a folder, all files are read. The results are one JSON document.

A configuration may name bundles (file:// resources), keys that verify signatures, the decision, and decision logs. Errors are lines of the log on standard error.`,
  examples: [
    ['Decide about each file of a folder', 'writ exec --decision authz/allow -b bundle.tar.gz inputs'],
    ['Decide about an input from a pipe', 'cat input.json | writ exec --decision authz/allow -b bundle.tar.gz -I'],
    ['Fail in CI if a decision is undefined', 'writ exec --fail --decision authz/allow -b bundle.tar.gz inputs'],
    ['Take bundles and keys from a configuration', 'writ exec -c config.yaml --decision authz/allow inputs'],
  ],
  flags: [
    ...group(
      'Decision',
      {
        name: 'decision',
        type: 'string',
        usage: "path of the decision (default: the configuration's, else system/main)",
      },
      bundleFlag,
      { ...stdinInputFlag, usage: 'read the input from standard input instead of files' },
      {
        name: 'timeout',
        type: 'duration',
        usage: 'longest time of all decisions together, such as 5m30s; 0 is no limit',
      },
      noCodegenFlag,
      skipVerifyFlag,
      v0Flag,
      v1Flag,
      yamlFlag,
    ),
    ...group(
      'Result',
      { name: 'fail', type: 'bool', usage: 'exit with 1 if a result is undefined or an input cannot be read' },
      { name: 'fail-defined', type: 'bool', usage: 'exit with 1 if a result is defined, and on errors' },
      { name: 'fail-non-empty', type: 'bool', usage: 'exit with 1 if a result is not empty, and on errors' },
      { name: 'format', short: 'f', type: ['json'], usage: 'form of the results', default: 'json' },
    ),
    ...configurationFlags,
    ...group('Log', ...logFlags('error'), {
      name: 'log-timestamp-format',
      type: 'string',
      usage: "form of times, in Go's notation",
    }),
  ],
  async run(args, io) {
    const problem = missingInput(args);
    if (problem !== undefined) {
      io.stderr(
        `time="${new Date().toISOString().replace(/\.\d+/, '')}" level=error msg="Unexpected error." err=${JSON.stringify(problem)}\n`,
      );
      return exitCodes.failure;
    }
    // Only turns of the event loop let time pass for the limit.
    if (!args.flags.number('timeout')) io.runAlone?.();
    const level = (args.flags.text('log-level') ?? 'error') as LogLevel;
    const loggers = {
      logger: () => openLogger(args.flags, io, level),
      console: () => openLogger(args.flags, io, 'info'),
    };
    try {
      const { openExecSession } = await import('../exec/session.js');
      checkFailFlags(args.flags);
      const session = await openExecSession(args.flags, io, loggers);
      const tally = await decideAll(session, args, io);
      await session.close();
      checkTally(args.flags, tally);
      return exitCodes.ok;
    } catch (error) {
      (await loggers.logger()).error('Unexpected error.', { err: (error as Error).message });
      return exitCodes.failure;
    }
  },
};

/** Most runs log nothing. */
async function openLogger(flags: FlagValues, io: Io, level: LogLevel): Promise<Logger> {
  const { Logger } = await import('../../server/services/logs/logger.js');
  const format = (flags.text('log-format') ?? 'json') as LogFormat;
  const timeLayout = flags.text('log-timestamp-format') || io.env.OPA_LOG_TIMESTAMP_FORMAT || '';
  return new Logger({ level, format, timeLayout, write: (text) => io.stderr(text) });
}

function missingInput({ flags, positionals }: Arguments): string | undefined {
  if (flags.on('stdin-input') || positionals.length > 0) return undefined;
  return 'requires at least 1 path arg, or the --stdin-input flag';
}
