import type { ObjectValue } from '../../../value.js';
import { type BuiltinContext, cryptoOf } from '../../builtin-context.js';
import { Base64Error } from '../go/base64-decoder.js';
import type { Certificate } from './certificate.js';
import { certificateValue, certificateWithUriStrings } from './certificate-values.js';
import { readCertificates } from './read.js';
import { type ChainOptions, verifyChain } from './verify-chain.js';
import { defaults, readChainOptions } from './verify-options.js';
import { X509Error } from './x509-error.js';

type Verified = readonly [boolean, readonly ObjectValue[]];

const notVerified: Verified = [false, []];

/**
 * Undefined where there are no certificates to be read: that is no error of the verifying
 * functions.
 */
function certificatesOf(input: string): readonly Certificate[] | undefined {
  try {
    return readCertificates(input);
  } catch (error) {
    if (error instanceof X509Error || error instanceof Base64Error) return undefined;
    throw error;
  }
}

function chainOf(
  found: readonly Certificate[],
  options: ChainOptions,
  ctx: BuiltinContext,
): readonly Certificate[] | undefined {
  const [root, ...others] = found;
  const leaf = others.pop();
  if (root === undefined || leaf === undefined) return undefined;
  return verifyChain(root, others, leaf, options, cryptoOf(ctx));
}

export function parseAndVerify(input: string, ctx: BuiltinContext): Verified {
  const found = certificatesOf(input);
  const chain = found && chainOf(found, defaults(ctx), ctx);
  return chain === undefined ? notVerified : [true, chain.map(certificateWithUriStrings)];
}

export function parseAndVerifyWithOptions(input: string, options: ObjectValue, ctx: BuiltinContext): Verified {
  const found = certificatesOf(input);
  if (found === undefined) return notVerified;
  const chain = chainOf(found, readChainOptions(options, ctx), ctx);
  return chain === undefined ? notVerified : [true, chain.map(certificateValue)];
}
