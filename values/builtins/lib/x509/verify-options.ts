/** The options of verifying certificates. */
import { objectEntries, sortedMembers } from '../../../compare.js';
import { isArray, isNumber, isSet, isString, type ObjectValue, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { int64Of } from '../go/int64.js';
import { trimCharacters } from '../go/trim.js';
import type { ChainOptions } from './verify-chain.js';

export function defaults(ctx: BuiltinContext): ChainOptions {
  return { dnsName: '', time: Number(ctx.timeNs) / 1e6, usages: [], tick: ctx.tick.bind(ctx) };
}

const usageNames = [
  'KeyUsageAny',
  'KeyUsageServerAuth',
  'KeyUsageClientAuth',
  'KeyUsageCodeSigning',
  'KeyUsageEmailProtection',
  'KeyUsageIPSECEndSystem',
  'KeyUsageIPSECTunnel',
  'KeyUsageIPSECUser',
  'KeyUsageTimeStamping',
  'KeyUsageOCSPSigning',
  'KeyUsageMicrosoftServerGatedCrypto',
  'KeyUsageNetscapeServerGatedCrypto',
  'KeyUsageMicrosoftCommercialCodeSigning',
  'KeyUsageMicrosoftKernelCodeSigning',
];

export function readChainOptions(options: ObjectValue, ctx: BuiltinContext): ChainOptions {
  const { tick } = defaults(ctx);
  let { dnsName, time, usages } = defaults(ctx);
  for (const [key, value] of objectEntries(options)) {
    if (!isString(key)) continue;
    switch (key) {
      case 'DNSName':
        if (!isString(value)) throw new BuiltinError("'DNSName' should be a string");
        dnsName = unquoted(value);
        break;
      case 'CurrentTime':
        time = Number(integerOption(value, 'CurrentTime', 'int64 number')) / 1e6;
        break;
      case 'MaxConstraintComparisons':
        // The reference's verifier no longer uses the limit; ours has its own.
        integerOption(value, 'MaxConstraintComparisons', 'number');
        break;
      case 'KeyUsages':
        usages = readUsages(value);
        break;
      default:
        throw new BuiltinError('invalid key option');
    }
  }
  return { dnsName, time, usages, tick };
}

function unquoted(value: string): string {
  return trimCharacters(value, '"');
}

function integerOption(value: Value, name: string, type: string): bigint {
  if (!isNumber(value)) throw new BuiltinError(`'${name}' should be a number`);
  const integer = int64Of(value);
  if (integer === undefined) throw new BuiltinError(`'${name}' should be a valid ${type}`);
  return integer;
}

function readUsages(value: Value): readonly number[] {
  if (!isArray(value) && !isSet(value)) throw new BuiltinError("'KeyUsages' should be an Array or Set");
  const names = (isArray(value) ? value : sortedMembers(value)).filter(isString).map(unquoted);
  const unknown = names.filter((name) => !usageNames.includes(name));
  if (unknown.length > 0) throw new BuiltinError(`invalid entries for 'KeyUsages' found: [${unknown.join(' ')}]`);
  return names.map((name) => usageNames.indexOf(name));
}
