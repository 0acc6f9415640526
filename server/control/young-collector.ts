/**
 * Collects young values often while the server works on a long request. They may grow to 32 MB
 * (`bin/writ`), 64 by default, and V8 copies those in use in one pause: 100 ms where all are, as in
 * a body that is being read. A young generation of 1 to 4 MB for all requests would shorten the
 * pause too, but requests of 100 kB then cost a third more.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { onSlice } from '../../values/index.js';
import { type Collect, collector } from './collector.js';

/** Bytes of young values that are copied within a few milliseconds. */
const most = 8 * 2 ** 20;

/** Starts it. The returned function stops it. */
export function collectYoung(): () => void {
  let collect: Collect | undefined;
  onSlice(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (young !== undefined && young.space_used_size > most)
      (collect ??= collector())({ type: 'minor', execution: 'sync' });
  });
  return () => onSlice(undefined);
}
