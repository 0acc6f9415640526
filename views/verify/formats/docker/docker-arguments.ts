/** The arguments of Dockerfile instructions, each in its own form. */

/** The forms of arguments by instruction. */
const forms = {
  add: 'jsonOrWords',
  arg: 'quotedWords',
  cmd: 'jsonOrText',
  copy: 'jsonOrWords',
  entrypoint: 'jsonOrText',
  env: 'pairs',
  expose: 'words',
  from: 'words',
  healthcheck: 'health',
  label: 'pairs',
  maintainer: 'text',
  onbuild: 'text',
  run: 'jsonOrText',
  shell: 'jsonOrText',
  stopsignal: 'text',
  user: 'text',
  volume: 'jsonOrWords',
  workdir: 'text',
} as const;

type Form = (typeof forms)[keyof typeof forms];

/** The instructions in lower case. */
export const dockerCommands: ReadonlySet<string> = new Set(Object.keys(forms));

interface Arguments {
  readonly values: readonly string[] | null;
  readonly isJson: boolean;
}

export function readArguments(command: string, text: string): Arguments {
  return inForm(forms[command as keyof typeof forms], text);
}

function inForm(form: Form, text: string): Arguments {
  if (text === '') return { values: null, isJson: false };
  const plain = (values: readonly string[]): Arguments => ({ values, isJson: false });
  if (form === 'text') return plain([text]);
  if (form === 'words') return plain(words(text));
  if (form === 'quotedWords') return plain(quotedWords(text));
  if (form === 'pairs') return plain(pairs(text));
  if (form === 'health') return health(text);
  const list = jsonList(text);
  if (list !== undefined) return { values: list.length === 0 ? null : list, isJson: true };
  return plain(form === 'jsonOrText' ? [text] : words(text));
}

function words(text: string): readonly string[] {
  return text.split(/[\t\v\f\r ]+/);
}

/** Words with their quotes; a quote keeps spaces. */
function quotedWords(text: string): readonly string[] {
  return text.match(/(?:[^\s"'\\]|\\[\s\S]?|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g) ?? [];
}

/** Names, values and what stands between them: `=`, or nothing in the older form of one pair. */
function pairs(text: string): readonly string[] {
  const all = quotedWords(text);
  if (!all[0]!.includes('=')) {
    const [, name = '', value = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    return value === '' ? [name] : [name, value, ''];
  }
  return all.flatMap((word) => {
    const at = word.indexOf('=');
    return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1), '='];
  });
}

function health(text: string): Arguments {
  const [, type = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const inner = inForm('jsonOrText', rest);
  return { values: [type.toUpperCase(), ...(inner.values ?? [])], isJson: inner.isJson };
}

function jsonList(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list = JSON.parse(text) as unknown;
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

const exactlyOne = new Set(['workdir', 'user', 'stopsignal', 'maintainer']);
const atLeastOne = new Set(['arg', 'env', 'expose', 'label', 'volume', 'healthcheck', 'run']);

/** The complaint about the arguments of an instruction, in the reference's words. */
export function argumentProblem(
  command: string,
  values: readonly string[] | null,
  isJson: boolean,
): string | undefined {
  const name = command.toUpperCase();
  const count = values?.length ?? 0;
  if (command === 'from') return fromProblem(values ?? []);
  if (exactlyOne.has(command) && count !== 1) return `${name} requires exactly one argument`;
  if (atLeastOne.has(command) && count === 0) return `${name} requires at least one argument`;
  if ((command === 'copy' || command === 'add') && count < 2)
    return `${name} requires at least two arguments, but only ${count === 1 ? 'one was' : 'none were'} provided`;
  if (command === 'shell' && !isJson) return 'SHELL requires the arguments to be in JSON form';
  if (command === 'env' || command === 'label') {
    if (count === 1) return `${name} must have two arguments`;
    const isPair = (i: number) => values![i] === '=' || count === 3;
    if (count % 3 !== 0 || !values!.every((_, i) => i % 3 !== 2 || isPair(i)))
      return "can't find = in a pair. Must be of the form: name=value";
  }
  if (command === 'healthcheck' && values![0] !== 'NONE' && values![0] !== 'CMD')
    return `Unknown type ${JSON.stringify(values![0])} in HEALTHCHECK (try CMD)`;
  return undefined;
}

function fromProblem(values: readonly string[]): string | undefined {
  const isNamed = values.length === 3 && values[1]!.toLowerCase() === 'as';
  if (values.length === 1 || isNamed) return undefined;
  return 'FROM requires either one or three arguments';
}
