/** Whether policies have labels in their metadata. */
import type { PolicyRecord, Version } from '../version.js';

/** A line of metadata with the name `labels`, which may be quoted, and behind others. */
const line = /^[ \t]*#.*\blabels["']?[ \t]*:/m;
const byRecord = new WeakMap<PolicyRecord, boolean>();
const byRecords = new WeakMap<Version['records'], boolean>();

/** Looks at the texts: policies of a snapshot need no parsing. Some texts only look as if. */
export function mayHaveLabels({ records }: Version): boolean {
  let found = byRecords.get(records);
  if (found === undefined) byRecords.set(records, (found = [...records.values()].some(isLabelled)));
  return found;
}

function isLabelled(record: PolicyRecord): boolean {
  let found = byRecord.get(record);
  if (found === undefined) byRecord.set(record, (found = line.test(record.raw)));
  return found;
}
