/**
 * Reads all requests that have arrived, then decides all, then answers all. Each of these steps has
 * its own code and data in the processor's caches. One by one, requests took a third longer
 * (measured with 32 connections).
 */
let waiting: (() => void)[] = [];

function goOn(): void {
  const all = waiting;
  waiting = [];
  for (const one of all) one();
}

/** Calls back once all requests that have arrived are read. The callback must not throw. */
export function whenAllIsRead(callback: () => void): void {
  if (waiting.push(callback) === 1) setImmediate(goOn);
}
