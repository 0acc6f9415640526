/** Tokens decoded, and verified with their claims. */

import { objectGet } from '../../../compare.js';
import type { ObjectValue, Value } from '../../../value.js';
import { type BuiltinContext, cryptoOf } from '../../builtin-context.js';
import { stringOperand } from '../../value-operands.js';
import { toHex } from '../go/octets.js';
import { trimCharacters } from '../go/trim.js';
import { algorithms, type TokenKey, verifySignature } from './algorithms.js';
import { claimsHold, readConstraints } from './constraints.js';
import { decodeHeader, decodeSection, jsonObject, readHeader, sectionText, signedText, splitToken } from './token.js';
import { remembered, someKeyHolds, verificationWork } from './verify-signature.js';

export function decode(text: string): readonly [header: ObjectValue, payload: ObjectValue, signature: string] {
  let jwt = text;
  for (;;) {
    const token = splitToken(jwt);
    const header = decodeHeader(token);
    const payload = sectionText(token.payload, 'payload');
    if (objectGet(header, 'cty') === 'JWT') {
      // Some issuers put the token within in quotes.
      jwt = trimCharacters(payload, '"\'');
      continue;
    }
    const claims = jsonObject(payload);
    return [header, claims, toHex(decodeSection(token.signature, 'signature'))];
  }
}

type Verified = readonly [holds: boolean, header: ObjectValue, payload: ObjectValue];

const unverified: Verified = [false, {}, {}];

/** The constraints are read before the token is looked at. */
export function decodeVerify(text: Value, given: ObjectValue, ctx: BuiltinContext): Verified {
  const crypto = cryptoOf(ctx);
  const constraints = readConstraints(given, crypto, ctx);
  let jwt = stringOperand(text, 1);
  for (;;) {
    const token = splitToken(jwt);
    const headerObject = decodeHeader(token);
    const header = readHeader(headerObject);
    if (!header.isValid || (constraints.alg !== '' && constraints.alg !== header.alg)) return unverified;
    const signature = decodeSection(token.signature);
    const algorithm = algorithms.get(header.alg);
    if (algorithm === undefined) return unverified;
    const holds = (key: TokenKey) => {
      ctx.tick(verificationWork);
      return verifySignature(algorithm, key, signedText(token), signature, crypto);
    };
    const { keys } = constraints;
    const verified =
      keys === undefined
        ? holds(constraints.secret)
        : remembered(`decode_verify ${keys.id} ${jwt}`, ctx, () => someKeyHolds(keys, header, holds));
    if (!verified) return unverified;
    const payload = sectionText(token.payload, 'payload');
    if (header.cty.toUpperCase() === 'JWT') {
      jwt = payload;
      continue;
    }
    const claims = jsonObject(payload);
    return claimsHold(claims, constraints) ? [true, headerObject, claims] : unverified;
  }
}
