/** All commands. Each is loaded on demand: a start must be cheap. */
import type { CommandEntry } from './command.js';

/** Commands by name; a name of two words is a command of a group. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  bench: {
    short: 'Measure how long a query takes',
    load: async () => (await import('./commands/bench.js')).benchCommand,
  },
  build: {
    short: 'Build a bundle, a plan or a JavaScript module',
    load: async () => (await import('./commands/build.js')).buildCommand,
  },
  capabilities: {
    short: 'Show the built-ins and features that policies may use',
    load: async () => (await import('./commands/capabilities.js')).capabilitiesCommand,
  },
  check: { short: 'Report errors in policies', load: async () => (await import('./commands/check.js')).checkCommand },
  completion: {
    short: 'Print a completion script for a shell',
    load: async () => (await import('./commands/completion.js')).completionCommand({ commands, groups }),
  },
  debug: {
    short: 'Step through a decision, forwards and backwards',
    load: async () => (await import('./commands/debug.js')).debugCommand,
  },
  deps: { short: 'Show what a query reads', load: async () => (await import('./commands/deps.js')).depsCommand },
  diff: {
    short: 'Show what a change of policies does to decisions',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  eval: { short: 'Evaluate a query', load: async () => (await import('./commands/eval.js')).evalCommand },
  exec: {
    short: 'Make a decision for each of many input files',
    load: async () => (await import('./commands/exec.js')).execCommand,
  },
  fix: {
    short: 'Fix findings of the linter',
    load: async () => (await import('./commands/fix.js')).fixCommand,
  },
  fmt: { short: 'Format policies', load: async () => (await import('./commands/fmt.js')).fmtCommand },
  inspect: {
    short: 'Show the content of bundles and plans',
    load: async () => (await import('./commands/inspect.js')).inspectCommand,
  },
  'language-server': {
    short: 'Serve editors by the language server protocol',
    load: async () => (await import('./language-server/language-server-command.js')).languageServerCommand,
  },
  lint: {
    short: 'Look for mistakes and bad style in policies',
    load: async () => (await import('./commands/lint.js')).lintCommand,
  },
  'logs changes': {
    short: 'Show which decisions two revisions made differently',
    load: async () => (await import('./logs/logs-commands.js')).changesCommand,
  },
  'logs import': {
    short: 'Import decision logs into a database',
    load: async () => (await import('./logs/logs-commands.js')).importCommand,
  },
  'logs query': {
    short: 'Ask the database in SQL',
    load: async () => (await import('./logs/logs-commands.js')).queryCommand,
  },
  'logs sample': {
    short: 'Write some events as a log or as fixtures',
    load: async () => (await import('./logs/logs-commands.js')).sampleCommand,
  },
  'logs top': {
    short: 'Show the most frequent paths, answers and inputs',
    load: async () => (await import('./logs/logs-commands.js')).topCommand,
  },
  'oracle find-definition': {
    short: 'Find the definition of a name, for editors',
    load: async () => (await import('./commands/oracle-find-definition.js')).oracleFindDefinitionCommand,
  },
  parse: {
    short: 'Show the syntax tree of a policy',
    load: async () => (await import('./commands/parse.js')).parseCommand,
  },
  'parse-config': {
    short: 'Show what a policy sees of configuration files',
    load: async () => (await import('./verify/parse-config.js')).parseConfigCommand,
  },
  playground: {
    short: 'Open a page to write policies and see what they decide',
    load: async () => (await import('./playground/playground-command.js')).playgroundCommand,
  },
  'refactor move': {
    short: 'Move packages and the references to them',
    load: async () => (await import('./commands/refactor-move.js')).refactorMoveCommand,
  },
  sign: { short: 'Sign the files of a bundle', load: async () => (await import('./commands/sign.js')).signCommand },
  'storage compact': {
    short: 'Delete entries of a log of writes that a snapshot covers',
    load: async () => (await import('./storage/storage-commands.js')).compactCommand,
  },
  'storage export': {
    short: 'Copy a log of writes to a file',
    load: async () => (await import('./storage/storage-commands.js')).exportCommand,
  },
  'storage import': {
    short: 'Make a log of writes from an exported one',
    load: async () => (await import('./storage/storage-commands.js')).storageImport,
  },
  'storage status': {
    short: 'Show what is in a log of writes, and who follows it',
    load: async () => (await import('./storage/storage-commands.js')).statusCommand,
  },
  'storage verify': {
    short: 'Check all entries and snapshots of a log of writes',
    load: async () => (await import('./storage/storage-commands.js')).storageVerify,
  },
  test: { short: 'Run the tests of policies', load: async () => (await import('./commands/test.js')).testCommand },
  types: {
    short: 'Write TypeScript declarations of policies',
    load: async () => (await import('./commands/types.js')).typesCommand,
  },
  verify: {
    short: 'Check configuration files by policies',
    load: async () => (await import('./commands/verify.js')).verifyCommand,
  },
  run: {
    short: 'Serve decisions over the REST API, or ask at a prompt',
    load: async () => (await import('./commands/run.js')).runCommand,
  },
  version: {
    short: 'Show the release of writ',
    load: async () => (await import('./commands/version.js')).versionCommand,
  },
};

/** Groups of commands, with their descriptions. */
export const groups: Readonly<Record<string, string>> = {
  logs: 'Ask questions of decision logs',
  oracle: 'Answer questions of editors about policies',
  refactor: 'Change policies as a whole',
  storage: 'Check, copy and compact the log of writes of a server',
};

/** The commands of a group by their second word; empty if there is no such group. */
export function commandsOf(group: string): Readonly<Record<string, CommandEntry>> {
  const prefix = `${group} `;
  const found = Object.entries(commands).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(found.map(([name, entry]) => [name.slice(prefix.length), entry]));
}

/** The commands and groups that stand first on a command line, with their descriptions. */
export function topLevel(): Readonly<Record<string, string>> {
  const single = Object.entries(commands).filter(([name]) => !name.includes(' '));
  return { ...Object.fromEntries(single.map(([name, { short }]) => [name, short])), ...groups };
}
