/**
 * Cures for a command that failed, for people at a terminal. The messages are the
 * reference's, word for word, and come from all layers; a cure stands below them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { closest } from '../../compiler/index.js';
import { jsonComplaint, jsonPlace, lenientTextOfFile } from '../../values/index.js';

interface Cure {
  /** A part of the command's output. */
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
  { said: /unable to parse input/, cure: (_, argv) => inputCure(argv) },
  {
    said: /(?:^|[\s"])(\S+): document must be of type object/,
    cure: ([, path = '']) =>
      /\.(?:json|ya?ml)$/.test(path)
        ? undefined
        : `${path} was not read as a policy: policies end in .rego, and begin with \`package\``,
  },
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
    cure: ([, given = '']) => addressCure(given),
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
  {
    said: /service name ".*" not found|invalid service name/,
    cure: 'the name is a key of `services` in the configuration',
  },
  { said: /key id \S+ not found/, cure: 'the id is a key of `keys` in the configuration' },
  { said: /key ".*" has no value/, of: ['exec', 'run', 'storage'], cure: 'a setting is --set key=value' },
  { said: /bundle mode/, of: ['build'], cure: 'for example: writ build -b policies/ --signing-key key.pem' },
  { said: /bundle mode/, of: ['sign'], cure: `for example: writ ${examples.sign}` },
  {
    said: /manifest roots \[.*\] do not permit data at path '\/?(.*)'/,
    cure: ([, path]) => `add ${JSON.stringify(path)} to "roots" of .manifest, or move the file below a root`,
  },
  {
    said: /manifest roots \[.*\] do not permit 'package (\S+)'/,
    cure: ([, name]) =>
      `add ${JSON.stringify(name!.replaceAll('.', '/'))} to "roots" of .manifest, or leave the file out by --ignore`,
  },
  { said: /manifest decode/, cure: '.manifest is JSON: {"roots": ["authz"]}' },
  {
    said: /failed to parse .*: config (?:file is no|must be an object)/,
    of: ['run', 'exec'],
    cure: 'a configuration is an object of JSON or YAML: `services: {…}`',
  },
];

/** Cures for keys, signatures and certificates. */
const cryptoCures: readonly Cure[] = [
  {
    said: /private key does not match public key/,
    cure: '--tls-private-key-file must be the key of the certificate in --tls-cert-file',
  },
  {
    said: /failed to find any PEM data in (certificate|key) input/,
    cure: ([, part]) => `the file of --tls-${part === 'key' ? 'private-key' : 'cert'}-file is a text: -----BEGIN …`,
  },
  {
    said: /failed to parse CA cert/,
    cure: 'the file of --tls-ca-cert-file has certificates: -----BEGIN CERTIFICATE-----',
  },
  {
    said: /failed to parse PEM block/,
    cure: 'a key is a file of PEM: openssl genrsa -out key.pem 2048, and openssl rsa -in key.pem -pubout -out public.pem',
  },
  {
    said: /unknown signature algorithm/,
    cure: 'algorithms are RS256, PS256, ES256 and HS256, and each with 384 and 512',
  },
  {
    said: /unsupported key type: PUBLIC KEY/,
    cure: 'sign with the private key; the public one is for --verification-key',
  },
  {
    said: /verification key not provided/,
    of: ['run'],
    cure: 'name the public key by --verification-key, or take the bundle by --skip-verify',
  },
  { said: /invalid key type/, cure: 'RS… and PS… need an RSA key, ES… an EC key: --signing-alg chooses' },
  { said: /failed to verify JWT signature/, cure: 'the bundle was signed with another key, or changed since' },
  {
    said: /missing \.signatures\.json/,
    cure: 'sign it by `writ sign`, or leave --verification-key out to take unsigned bundles',
  },
];

/** Cures for names of another kind of file or value. */
const kindCures: readonly Cure[] = [
  {
    said: /open \S+: is a directory/,
    of: ['run', 'exec', 'storage'],
    cure: 'a configuration is a file: -c config.yaml',
  },
  {
    said: /open (\S+): is a directory/,
    of: ['build'],
    cure: ([, path]) => `-o names the file of the bundle: -o ${path}/bundle.tar.gz`,
  },
  { said: /mkdir \S+: file exists/, of: ['test'], cure: 'pages of HTML are written to a folder: -o coverage' },
  { said: /mkdir \S+: file exists/, of: ['run', 'storage'], cure: 'storage.file.directory is a folder, not a file' },
  {
    said: /directory \S+ invalid: no such directory/,
    cure: 'make the folder, or set storage.disk.auto_create: true',
  },
  {
    said: /can't recognize file type/,
    cure: 'policies end in .rego, documents in .json, .yaml or .yml; bundles are given by -b',
  },
  {
    said: /file:\/\/\S* (?:names the host|has no path)|\bstat : no such file/,
    cure: 'a file URL has three slashes before the path: file:///srv/bundle.tar.gz',
  },
  { said: /error parsing regexp/, cure: 'the flag takes a regular expression: \\[ is the character [' },
  {
    said: /invalid argument "\d+(?:ms|s|m)" for "-t, --target"/,
    cure: 'the time limit is --timeout 5s',
  },
  { said: /the configuration has no log/, cure: 'name the configuration of the server: -c config.yaml' },
  {
    said: /multiple default rules \S+ found at (.+)/,
    cure: ([, places = '']) => {
      const files = new Set(places.split(', ').map((place) => place.replace(/:\d+$/, '')));
      return files.size > 1
        ? 'the policy may be loaded twice: as a file, and in a bundle of the same folder'
        : undefined;
    },
  },
  {
    said: /^error: postgres .*connection refused/m,
    cure: 'nothing listens there: start the database, or correct storage.postgres.url',
  },
];

/** The cure for a failure; undefined where the message says enough. */
export function cureOf(said: string, argv: readonly string[]): string | undefined {
  if (/^hint: |did you mean/im.test(said)) return undefined;
  for (const { said: message, of, cure } of [...cures, ...cryptoCures, ...kindCures]) {
    const found = of === undefined || of.includes(argv[0] ?? '') ? message.exec(said) : null;
    const text = found && (typeof cure === 'string' ? cure : cure(found, argv));
    if (text) return text;
  }
  return undefined;
}

/** Where the file of the input stops being JSON. */
function inputCure(argv: readonly string[]): string {
  const at = argv.findIndex((word) => /^(?:-i|--input)(?:=|$)/.test(word));
  const path = at < 0 ? undefined : (/=(.*)$/.exec(argv[at]!)?.[1] ?? argv[at + 1]);
  const text = path?.endsWith('.json') ? textAt(path) : undefined;
  if (path === undefined || text === undefined) return 'the input is a file of JSON or YAML';
  return `${jsonPlace(path, text)}: ${jsonComplaint(text, true) ?? 'the input is a file of JSON or YAML'}`;
}

function textAt(path: string): string | undefined {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** Files that stand where a query is expected. */
function fileAsQuery(argv: readonly string[]): string | undefined {
  const file = argv.find((word, i) => policyFile.test(word) && !/^-/.test(argv[i - 1] ?? '') && existsSync(word));
  return file && `files are given by -d: -d ${file}`;
}

function addressCure(given: string): string {
  if (/^\d{1,5}$/.test(given)) return `an address has a port: :${given}`;
  const host = /^(.*):[^:\]/]+$/.exec(given)?.[1];
  return host === undefined ? `an address has a port: ${given}:8181` : `a port is a number: ${host}:8181`;
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
