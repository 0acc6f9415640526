/** Places of policies that evaluations pass. */
import type { Span } from '../../../compiler/index.js';
import type { ProbeTable } from '../../coverage/probe-table.js';

/** A change of a file: the replaced stretch, and the length of its replacement. */
interface TextChange {
  readonly file: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/**
 * How often each place was passed since the hits were taken last.
 * @param change of the file whose places are left out: those inside of it are others in a mutant
 * @param isChanged whether the table is of the changed file: offsets are taken back to the other
 */
export function takeHits(table: ProbeTable, change?: TextChange, isChanged = false): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const probe of table.all) {
    const { hits, kind, loc } = probe;
    probe.hits = 0;
    if (hits === 0) continue;
    const place = change?.file === loc.file ? placeBeside(loc, change!, isChanged) : `${loc.start} ${loc.end}`;
    if (place === undefined) continue;
    const key = `${kind} ${loc.file} ${place}`;
    places.set(key, (places.get(key) ?? 0) + hits);
  }
  return places;
}

/** The place in the unchanged file; undefined inside of the change. */
function placeBeside({ start, end }: Span, change: TextChange, isChanged: boolean): string | undefined {
  const changedEnd = change.start + change.length;
  if (start >= change.start && end <= (isChanged ? changedEnd : change.end)) return undefined;
  const back = (offset: number) => (isChanged && offset >= changedEnd ? offset - changedEnd + change.end : offset);
  return `${back(start)} ${back(end)}`;
}
