/** Completion in fish. */
import type { CompletedFlag, CompletionModel } from './model.js';

/** The script: `writ completion fish | source`. */
export function fishScript({ commands, topLevel, groups, descriptions }: CompletionModel): string {
  const note = (text: string) => (descriptions ? ` -d ${quoted(text)}` : '');
  const words = (condition: string, list: Readonly<Record<string, string>>) =>
    Object.entries(list).map(
      ([word, text]) => `complete -c writ -n ${quoted(condition)} -f -a ${quoted(word)}${note(text)}`,
    );
  const lines = [
    ...words('__writ_at', topLevel),
    ...Object.entries(groups).flatMap(([group, members]) => words(`__writ_at ${group}`, members)),
    ...commands.flatMap(({ name, flags, arguments: given }) => [
      ...flags.map((flag) => `complete -c writ -n ${quoted(`__writ_in ${name}`)} ${flagText(flag)}${note(flag.usage)}`),
      ...(given === undefined
        ? []
        : [`complete -c writ -n ${quoted(`__writ_in ${name}`)} -f -a ${quoted(given.join(' '))}`]),
    ]),
  ];
  return `# Completion of writ's command lines in fish: writ completion fish | source
# Whether the words before the cursor are these.
function __writ_at
    set -l words (commandline -opc)[2..-1]
    test "$words" = "$argv"
end

# Whether the first words of the command line are these.
function __writ_in
    set -l words (commandline -opc)[2..-1]
    set -l first $words[1..(count $argv)]
    test "$first" = "$argv"
end

complete -c writ -e
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
