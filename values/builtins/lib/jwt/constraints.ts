/** The constraints of `io.jwt.decode_verify`. */
import { compare, objectGet, sortedEntries } from '../../../compare.js';
import { toDouble } from '../../../numbers/number.js';
import { isArray, isNumber, isString, type ObjectValue, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { HostCrypto } from '../../host-crypto.js';
import { type KeySet, keySetOf } from './verification-keys.js';

/** The text of an absent constraint is empty. */
interface Constraints {
  /** Either keys or a secret. */
  readonly keys: KeySet | undefined;
  readonly secret: string;
  readonly alg: string;
  readonly iss: string;
  readonly aud: string;
  /** The time at which the token must hold, in seconds since 1970. */
  readonly time: number;
}

/**
 * Throws a BuiltinError where a constraint is unknown or not of its type, or the key is missing.
 */
export function readConstraints(object: ObjectValue, crypto: HostCrypto, ctx: BuiltinContext): Constraints {
  const texts = { secret: '', alg: '', iss: '', aud: '' };
  let keys: KeySet | undefined;
  let time: number | undefined;
  for (const [name, value] of sortedEntries(object)) {
    switch (name) {
      case 'cert':
        if (!isString(value)) throw new BuiltinError('cert constraint: must be a string');
        keys = keySetOf(value, crypto, ctx);
        break;
      case 'secret':
      case 'alg':
      case 'iss':
      case 'aud':
        if (!isString(value)) throw new BuiltinError(`${name} constraint: must be a string`);
        texts[name] = value;
        break;
      case 'time':
        time = timeOf(value);
        break;
      default:
        throw new BuiltinError(`unknown token validation constraint: ${isString(name) ? name : JSON.stringify(name)}`);
    }
  }
  if (keys !== undefined && texts.secret !== '') throw new BuiltinError('duplicate key constraints');
  if (keys === undefined && texts.secret === '') throw new BuiltinError('no key constraint');
  return { ...texts, keys, time: (time ?? Number(ctx.timeNs)) / 1e9 };
}

function timeOf(value: Value): number {
  if (!isNumber(value)) throw new BuiltinError('token time constraint: must be a number');
  const time = toDouble(value);
  if (!Number.isFinite(time)) throw new BuiltinError('token time constraint: unvalid float64');
  if (time < 0) throw new BuiltinError('token time constraint: must not be negative');
  return time;
}

/**
 * Whether the claims of a token satisfy the constraints. Throws a BuiltinError if a time in the
 * claims is not a number.
 */
export function claimsHold(claims: ObjectValue, { iss, aud, time }: Constraints): boolean {
  if (iss !== '' && objectGet(claims, 'iss') !== iss) return false;
  const audience = objectGet(claims, 'aud');
  if (audience === undefined ? aud !== '' : !(isArray(audience) ? audience.includes(aud) : audience === aud))
    return false;
  const expires = objectGet(claims, 'exp');
  if (expires !== undefined) {
    if (!isNumber(expires)) throw new BuiltinError('exp value must be a number');
    if (compare(time, expires) >= 0) return false;
  }
  const begins = objectGet(claims, 'nbf');
  if (begins !== undefined) {
    if (!isNumber(begins)) throw new BuiltinError('nbf value must be a number');
    if (compare(time, begins) < 0) return false;
  }
  return true;
}
