/** The time in log lines: a layout of Go, in the machine's zone. */
import { format, momentAt, piecesOfLayout, rfc3339, utc, type Zone, zoneNamed } from '../../../values/index.js';

export type TimeText = (milliseconds: number) => string;

/** @param layout such as `2006-01-02 15:04:05.000`; RFC 3339 where it is empty or left out */
export function timeTextOf(layout = '', zone: Zone = localZone()): TimeText {
  if (layout === '' && zone === utc)
    return bySecond((seconds) => `${new Date(1000 * seconds).toISOString().slice(0, 19)}Z`);
  const pieces = piecesOfLayout(layout === '' ? rfc3339 : layout);
  return (milliseconds) => {
    const seconds = Math.floor(milliseconds / 1000);
    return format(momentAt(seconds, Math.round((milliseconds - 1000 * seconds) * 1e6), zone), pieces);
  };
}

/** The text of the last second is kept: a busy server writes thousands of lines in it. */
function bySecond(textOf: (seconds: number) => string): TimeText {
  let last = Number.NaN;
  let text = '';
  return (milliseconds) => {
    const seconds = Math.floor(milliseconds / 1000);
    if (seconds !== last) {
      last = seconds;
      text = textOf(seconds);
    }
    return text;
  };
}

function localZone(): Zone {
  try {
    return zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  } catch {
    return utc;
  }
}
