/**
 * What to do about a command that failed, for people at a terminal. The messages are the
 * reference's, word for word, and come from all layers; a cure stands below them.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { closest } from '../../compiler/hints/closest.js';

interface Cure {
  /** A part of what the command said. */
  readonly said: RegExp;
  /** The commands that it is for; all of them if left out. */
  readonly of?: readonly string[];
  readonly cure: string | ((found: RegExpExecArray, argv: readonly string[]) => string | undefined);
}

/** A command line that works, for those that lack an argument. */
const examples: Readonly<Record<string, string>> = {
  bench: 'bench -d policies/ data.authz.allow',
  build: 'build -o bundle.tar.gz policies/',
  check: 'check policies/',
  debug: 'debug -d policies/ -i input.json data.authz.allow',
  deps: 'deps -d policies/ data.authz.allow',
  eval: 'eval -d policies/ -i input.json data.authz.allow',
  exec: 'exec --decision authz/allow -b policies/ input.json',
  inspect: 'inspect bundle.tar.gz',
  parse: 'parse authz.rego',
  refactor: 'refactor move -p data.old:data.new policies/',
  sign: 'sign --signing-key key.pem -b policies/',
  test: 'test policies/',
  types: 'types policies/',
};

/** Commands of other programs. */
const habits: Readonly<Record<string, string>> = {
  '--version': 'version',
  '-v': 'version',
  bundle: 'build',
  compile: 'build',
  format: 'fmt',
  lint: 'check --strict',
  repl: 'run',
  serve: 'run --server',
  server: 'run --server',
  start: 'run --server',
  validate: 'check',
};

const policyFile = /\.(?:rego|json|ya?ml)$/;
const asking = ['bench', 'debug', 'deps', 'eval'];

const cures: readonly Cure[] = [
  {
    said: /unknown (?:command "(.*)" for|flag: (\S+)\nRun 'writ --help'|shorthand flag: '.' in (-\w)\nRun 'writ --help')/,
    cure: ([, command, flag, short]) => {
      const given = command ?? flag ?? short ?? '';
      if (policyFile.test(given)) return `a command comes first: writ eval -d ${given} data`;
      return Object.hasOwn(habits, given) ? `write \`writ ${habits[given]}\`` : undefined;
    },
  },
  { said: /unknown flag: --port\b/, of: ['run'], cure: 'the port is a part of the address: --addr localhost:8181' },
  {
    said: /unknown flag: --data\b|unknown shorthand flag: 'd'/,
    of: ['exec'],
    cure: 'policies are given as a bundle: -b policies/',
  },
  {
    said: /unknown flag: --data\b|unknown shorthand flag: 'd'/,
    of: ['build', 'check', 'fmt', 'test', 'types'],
    cure: (_, [command]) => `paths stand by themselves: writ ${command} policies/`,
  },
  {
    said: /specify at most one query argument/,
    cure: (_, argv) => fileAsQuery(argv) ?? 'a query with spaces stands in quotes',
  },
  {
    said: /specify (?:query argument|at least one|exactly one|the secret|a query|atleast)|expected at least one path|no source file|requires at least 1 path/,
    cure: (_, [command = '']) =>
      Object.hasOwn(examples, command) ? `for example: writ ${examples[command]}` : undefined,
  },
  { said: /rego_parse_error|rego_unsafe_var_error/, of: asking, cure: (_, argv) => fileAsQuery(argv) },
  {
    said: /(?:stat|lstat|open) (.+?): (?:no such file or directory|file name too long)/,
    cure: ([, path = '']) => missingPath(path),
  },
  { said: /unable to parse input/, cure: 'the input is a file of JSON or YAML' },
  {
    said: /gzip: invalid header/,
    cure: 'a bundle is a folder or a tar.gz file; `writ eval -d` and `writ run` take files of policies and data',
  },
  { said: /time: (?:missing|unknown) unit|time: invalid duration/, cure: 'a duration has a unit: 500ms, 5s, 2m' },
  { said: /strconv\.ParseInt/, cure: 'the flag takes a whole number, such as 10' },
  { said: /strconv\.ParseFloat/, cure: 'the flag takes a number, such as 80 or 99.5' },
  { said: /strconv\.ParseBool/, cure: 'the flag takes true or false, or no value' },
  {
    said: /address (\S*): missing port/,
    cure: ([, given = '']) => `an address has a port: ${/^\d+$/.test(given) ? '' : given}:${portOf(given)}`,
  },
  { said: /address \S+: invalid port/, cure: 'ports are the numbers up to 65535; 0 is any free one' },
  {
    said: /requires? at least one entrypoint/,
    cure: 'name each decision that is asked for by its path: -e authz/allow',
  },
  {
    said: /entrypoint ".*" does not refer/,
    cure: 'an entrypoint is the path of a package and a rule with slashes: authz/allow for `allow` in `package authz`',
  },
  {
    said: /undefined result/,
    of: ['bench'],
    cure: 'the query has no result to measure; `writ eval` with the same flags says what is missing',
  },
  { said: /service name ".*" not found/, cure: 'the name is a key of `services` in the configuration' },
  { said: /key ".*" has no value/, of: ['exec', 'run', 'storage'], cure: 'a setting is --set key=value' },
  { said: /bundle mode/, of: ['build'], cure: 'for example: writ build -b policies/ --signing-key key.pem' },
  { said: /bundle mode/, of: ['sign'], cure: `for example: writ ${examples.sign}` },
  {
    said: /manifest roots \[.*\] do not permit data at path '\/?(.*)'/,
    cure: ([, path]) => `add ${JSON.stringify(path)} to "roots" of .manifest, or move the file below a root`,
  },
  { said: /manifest decode/, cure: '.manifest is JSON: {"roots": ["authz"]}' },
  {
    said: /failed to parse .*: config (?:file is no|must be an object)/,
    of: ['run', 'exec'],
    cure: 'a configuration is an object of JSON or YAML: `services: {…}`',
  },
];

/** The cure for a failure; undefined where the message says enough. */
export function cureOf(said: string, argv: readonly string[]): string | undefined {
  if (/^hint: |did you mean/im.test(said)) return undefined;
  for (const { said: message, of, cure } of cures) {
    const found = of === undefined || of.includes(argv[0] ?? '') ? message.exec(said) : null;
    const text = found && (typeof cure === 'string' ? cure : cure(found, argv));
    if (text) return text;
  }
  return undefined;
}

/** Files that stand where a query is expected. */
function fileAsQuery(argv: readonly string[]): string | undefined {
  const file = argv.find((word, i) => policyFile.test(word) && !/^-/.test(argv[i - 1] ?? '') && existsSync(word));
  return file && `files are given by -d: -d ${file}`;
}

function portOf(given: string): string {
  return /^\d{1,5}$/.test(given) ? given : '8181';
}

/** As many names of a folder are listed. */
const mostNames = 5;

function missingPath(path: string): string | undefined {
  if (/^\s*[{[]/.test(path)) return "a flag takes the path of a document, not its text: echo '{…}' | writ eval -I …";
  const folder = dirname(path);
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return existsSync(folder) ? undefined : `there is no folder ${folder}`;
  }
  // An ending in common says nothing.
  const ending = extname(path);
  const meant = closest(
    basename(path, ending),
    names.filter((name) => name.endsWith(ending)).map((name) => basename(name, ending)),
  );
  if (meant !== undefined)
    return `did you mean ${path.slice(0, path.length - basename(path).length)}${meant}${ending}?`;
  const shown =
    names.length > mostNames
      ? `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
      : names.join(', ');
  return `${folder === '.' ? 'the current folder' : folder} ${names.length === 0 ? 'is empty' : `has ${shown}`}`;
}
