/** The flags of checks, with conftest's names and meanings. */
import type { Flag } from '../flags.js';

export const configFileFlag: Flag = {
  name: 'config-file',
  short: 'c',
  type: 'string',
  usage: 'file with settings (default: conftest.toml, .yaml or .json here)',
};

/** The flags of policies, which checks and tests of policies share. */
export const policyFlags: readonly Flag[] = [
  { name: 'policy', short: 'p', type: 'strings', usage: 'file or folder of policies', default: 'policy' },
  {
    name: 'data',
    short: 'd',
    type: 'strings',
    usage: 'file or folder of data (default: data, if there is such a folder)',
  },
  {
    name: 'namespace',
    short: 'n',
    type: 'strings',
    usage: 'packages whose rules are asked: names or shell patterns',
    default: 'main',
  },
  { name: 'rego-version', type: 'string', usage: 'version of Rego: v0 or v1', default: 'v1' },
  { name: 'strict', type: 'bool', usage: 'also report unused variables and imports, and other doubtful code' },
  { name: 'capabilities', type: 'string', usage: 'allow the built-ins and features of a file like capabilities.json' },
  {
    name: 'proto-file-dirs',
    type: 'strings',
    usage: 'folders of .proto files, which declare the types of text messages',
  },
];

/** The flags of results. */
export const resultFlags: readonly Flag[] = [
  { name: 'quiet', type: 'bool', usage: 'print nothing unless something fails' },
  { name: 'trace', type: 'bool', usage: 'trace the evaluation of the rules' },
  { name: 'no-color', type: 'bool', usage: 'print without colours' },
  { name: 'show-builtin-errors', type: 'bool', usage: 'end with an error where a built-in has one' },
  { name: 'junit-hide-message', type: 'bool', usage: 'with -o junit: leave messages out of names' },
];

/** The flags of files. */
export const fileFlags: readonly Flag[] = [
  {
    name: 'parser',
    type: 'string',
    usage: 'format of the files, or a command that writes JSON, such as "cue export -"',
  },
  { name: 'combine', type: 'bool', usage: 'check all files as one input: a list of {path, contents}' },
  { name: 'ignore', type: 'string', usage: 'leave out files of folders whose paths match this regular expression' },
  { name: 'stdin-filename', type: 'string', usage: 'name of the file that comes by standard input' },
];

export const tlsFlag: Flag = {
  name: 'tls',
  short: 's',
  type: 'bool',
  usage: 'ask registries over TLS (default: those that are not on this machine)',
};

/** The flags of the checks of files. */
export const testFlags: readonly Flag[] = [
  { name: 'all-namespaces', type: 'bool', usage: 'ask the rules of all packages' },
  { name: 'fail-on-warn', type: 'bool', usage: 'exit with 1 for warnings, and with 2 for failures' },
  { name: 'no-fail', type: 'bool', usage: 'exit with 0 even if something fails' },
  { name: 'suppress-exceptions', type: 'bool', usage: 'leave exceptions out of the text' },
  { name: 'github-hide-passed', type: 'bool', usage: 'with -o github: leave out files that passed' },
  {
    name: 'update',
    short: 'u',
    type: 'strings',
    usage: 'fetch policies from these addresses first: oci://, git::, https://, folders',
  },
  tlsFlag,
];

/** The flags of reports of tests. */
export const reportFlags: readonly Flag[] = [
  { name: 'report', short: 'r', type: 'string', usage: 'report of the tests: full, notes or fails' },
  { name: 'var-values', type: 'bool', usage: 'show the values of variables where a test fails' },
];

/** The flags, one of them without a default. */
export function withoutDefault(flags: readonly Flag[], name: string): readonly Flag[] {
  return flags.map((flag) => {
    if (flag.name !== name) return flag;
    const { default: _default, ...rest } = flag;
    return rest;
  });
}
