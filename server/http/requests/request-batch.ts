/**
 * Requests that have come together are read together, then decided together, then answered together. Each of these steps has code and data of its own, and between
 * them is the kernel, which takes the processor's caches: taken one by one, requests cost a third more (measured with 32 connections).
 */
let waiting: (() => void)[] = [];

function goOn(): void {
  const all = waiting;
  waiting = [];
  for (const one of all) one();
}

/** Calls back once everything that has come by now has been read; at once where that is nothing else. Must not throw. */
export function whenAllIsRead(callback: () => void): void {
  if (waiting.push(callback) === 1) setImmediate(goOn);
}
