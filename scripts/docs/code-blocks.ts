/** Code in pages of documentation. */

/** A block of code, between lines of three backticks. */
export interface CodeBlock {
  /** Of its first line. */
  readonly row: number;
  /** The count of headings (`##`) before it. */
  readonly section: number;
  readonly language: string;
  /** As in `yaml [config.yaml]`. */
  readonly title: string | undefined;
  readonly text: string;
}

export function codeBlocks(page: string): CodeBlock[] {
  const found: CodeBlock[] = [];
  let section = 0;
  for (const { index, 0: match, groups } of page.matchAll(
    /^## |^```(?<language>\w*)(?: \[(?<title>[^\]\n]*)\])?\n(?<text>.*?)^```$/gms,
  )) {
    if (match === '## ') section++;
    else
      found.push({
        row: page.slice(0, index).split('\n').length,
        section,
        ...(groups as Pick<CodeBlock, 'language' | 'title' | 'text'>),
      });
  }
  return found;
}

/** A command behind `$`, with the lines below it. */
interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

/** A command goes on in the next line behind a backslash, and within a text in quotes. */
export function commandsIn(block: string): ShownCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const lines = each.split('\n');
      let end = 1;
      while (end < lines.length && isUnfinished(lines.slice(0, end).join('\n'))) end++;
      return { command: lines.slice(0, end).join('\n'), output: lines.slice(end).join('\n').trimEnd() };
    });
}

function isUnfinished(command: string): boolean {
  const quotes = command.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split("'").length - 1;
  return command.endsWith('\\') || quotes % 2 === 1;
}
