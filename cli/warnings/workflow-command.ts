/**
 * Workflow commands of GitHub Actions, which show a message at its line: `::error
 * file=…,line=…::…`. The source of the form: "Workflow commands for GitHub Actions" in GitHub's
 * documentation.
 */
import { workflowMessage, workflowProperty } from '../../values/index.js';

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
  const at = place === undefined ? [] : [`file=${workflowProperty(place.file)}`, `line=${place.row}`];
  const col = place?.col === undefined ? [] : [`col=${place.col}`];
  return `::${level} ${[...at, ...col, `title=${workflowProperty(title)}`].join(',')}::${workflowMessage(text)}\n`;
}
