import { readFileSync } from 'node:fs';

/** The processor time that a process has used, all threads together; a tick is 10 ms. */
export function processorMs(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}
