/** A length of time in its two largest units: `2 h 5 min`. */
export function millisecondsText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** How long ago something was. */
export function ageText(timeMs: number | undefined, nowMs: number): string {
  return timeMs === undefined ? '–' : `${millisecondsText(nowMs - timeMs)} ago`;
}
