/** Completion in zsh. */
import { type CompletedCommand, type CompletedFlag, type CompletionModel, spellings } from './model.js';

/** The script: `source <(writ completion zsh)`, or a file `_writ` in a directory of `$fpath`. */
export function zshScript({ program, commands, topLevel, groups, descriptions }: CompletionModel): string {
  const flagsOf = (name: string) => commands.find((command) => command.name === name)!;
  const single = commands.filter(({ name }) => !name.includes(' '));
  return `#compdef ${program}
# Completion of ${program}'s command lines in zsh: source <(${program} completion zsh)
_${program}() {
  local curcontext=$curcontext state
  local -a line words_of_group
  typeset -A opt_args
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
    command)
      words_of_group=(${described(topLevel, descriptions)})
      _describe command words_of_group
      ;;
    rest)
      case $words[1] in
${single.map((command) => `        ${command.name})\n${argumentsOf(command, descriptions, '          ')}          ;;\n`).join('')}${Object.entries(
  groups,
)
  .map(([group, members]) => groupCase(group, members, flagsOf, descriptions))
  .join('')}      esac
      ;;
  esac
}
if [[ $funcstack[1] == _${program} ]]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

function groupCase(
  group: string,
  members: Readonly<Record<string, string>>,
  commandOf: (name: string) => CompletedCommand,
  descriptions: boolean,
): string {
  const cases = Object.keys(members).map(
    (name) =>
      `            ${name})\n${argumentsOf(commandOf(`${group} ${name}`), descriptions, '              ')}              ;;\n`,
  );
  return `        ${group})
          if (( CURRENT == 2 )); then
            words_of_group=(${described(members, descriptions)})
            _describe command words_of_group
            return
          fi
          shift words
          (( CURRENT-- ))
          case $words[1] in
${cases.join('')}          esac
          ;;
`;
}

function described(words: Readonly<Record<string, string>>, descriptions: boolean): string {
  return Object.entries(words)
    .map(([word, text]) => quoted(descriptions ? `${word}:${text}` : word))
    .join(' ');
}

function argumentsOf({ flags, arguments: given }: CompletedCommand, descriptions: boolean, indent: string): string {
  const specs = flags.flatMap((flag) => flagSpecs(flag, descriptions));
  const rest = given === undefined ? quoted('*:path:_files') : quoted(`1:argument:(${given.join(' ')})`);
  return `${indent}_arguments -s ${[...specs, rest].join(` \\\n${indent}  `)}\n`;
}

/** A long name takes its value after \`=\` or as the next word, a short one beside it or next. */
function flagSpecs(flag: CompletedFlag, descriptions: boolean): string[] {
  const text = descriptions ? `[${flag.usage.replace(/[\\[\]:]/g, '\\$&')}]` : '';
  const value = { none: '', path: `:${flag.name}:_files`, text: `:${flag.name}: ` };
  const action = typeof flag.value === 'string' ? value[flag.value] : `:${flag.name}:(${flag.value.join(' ')})`;
  const names = spellings(flag);
  const before = flag.repeated ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  const joint = (name: string) => (action === '' ? name : name.startsWith('--') ? `${name}=` : `${name}+`);
  return names.map((name) => quoted(`${before}${joint(name)}${text}${action}`));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
