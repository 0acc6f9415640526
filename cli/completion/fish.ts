/** Completion in fish. */
import type { CompletedFlag, CompletionModel } from './model.js';

/** The script: `writ completion fish | source`. */
export function fishScript({ program, commands, topLevel, groups, descriptions }: CompletionModel): string {
  const note = (text: string) => (descriptions ? ` -d ${quoted(text)}` : '');
  const words = (condition: string, list: Readonly<Record<string, string>>) =>
    Object.entries(list).map(
      ([word, text]) => `complete -c ${program} -n ${quoted(condition)} -f -a ${quoted(word)}${note(text)}`,
    );
  const lines = [
    ...words(`__${program}_at`, topLevel),
    ...Object.entries(groups).flatMap(([group, members]) => words(`__${program}_at ${group}`, members)),
    ...commands.flatMap(({ name, flags, arguments: given }) => [
      ...flags.map(
        (flag) => `complete -c ${program} -n ${quoted(`__${program}_in ${name}`)} ${flagText(flag)}${note(flag.usage)}`,
      ),
      ...(given === undefined
        ? []
        : [`complete -c ${program} -n ${quoted(`__${program}_in ${name}`)} -f -a ${quoted(given.join(' '))}`]),
    ]),
  ];
  return `# Completion of ${program}'s command lines in fish: ${program} completion fish | source
# Whether the words before the cursor are these.
function __${program}_at
    set -l words (commandline -opc)[2..-1]
    test "$words" = "$argv"
end

# Whether the first words of the command line are these.
function __${program}_in
    set -l words (commandline -opc)[2..-1]
    set -l first $words[1..(count $argv)]
    test "$first" = "$argv"
end

complete -c ${program} -e
${lines.join('\n')}
`;
}

function flagText({ name, short, value }: CompletedFlag): string {
  const names = `-l ${name}${short === undefined ? '' : ` -s ${short}`}`;
  if (typeof value !== 'string') return `${names} -x -a ${quoted(value.join(' '))}`;
  return names + { none: '', path: ' -r -F', text: ' -x' }[value];
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
