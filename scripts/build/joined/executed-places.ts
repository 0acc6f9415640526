/** Which places of a script a run executes, by V8's coverage. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** What Node writes at the end of a run. */
interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] }[];
}

/**
 * 1 for each character of a script that a run executes, and 0 for others.
 * @param head the text that the loader puts before the script
 * @param run makes a run with these environment variables, by which it writes no pack
 */
export function executedPlaces(
  file: string,
  head: string,
  scratch: string,
  run: (variables: Readonly<Record<string, string>>) => void,
): Uint8Array {
  const folder = join(scratch, 'coverage');
  run({ NODE_V8_COVERAGE: folder, WRIT_SURVEY: join(scratch, 'loaded.json') });
  const places = new Uint8Array(readFileSync(file, 'latin1').length + head.length);
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result)
      if (url.endsWith(file))
        mark(
          places,
          functions.flatMap(({ ranges }) => ranges),
        );
  }
  rmSync(folder, { recursive: true });
  return places.subarray(head.length);
}

/** An inner range holds for its places in place of the outer one. */
function mark(places: Uint8Array, ranges: readonly Range[]): void {
  const counts = new Uint8Array(places.length);
  const length = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  for (const range of ranges.toSorted((a, b) => length(b) - length(a)))
    counts.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset);
  for (let i = 0; i < places.length; i++) if (counts[i] === 1) places[i] = 1;
}
