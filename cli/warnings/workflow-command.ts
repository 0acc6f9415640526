/**
 * Workflow commands of GitHub Actions, which show a message at its line: `::error
 * file=…,line=…::…`. The source of the form: "Workflow commands for GitHub Actions" in GitHub's
 * documentation.
 */

interface CommandPlace {
  readonly file: string;
  readonly row: number;
  readonly col?: number;
}

export function githubCommand(
  level: 'error' | 'warning' | 'notice',
  place: CommandPlace | undefined,
  title: string,
  text: string,
): string {
  const at = place === undefined ? [] : [`file=${property(place.file)}`, `line=${place.row}`];
  const col = place?.col === undefined ? [] : [`col=${place.col}`];
  return `::${level} ${[...at, ...col, `title=${property(title)}`].join(',')}::${message(text)}\n`;
}

function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
