/** The section `keys`. */

import type { KeyConfig } from '../../../engine/index.js';
import { algorithms } from '../../../values/index.js';
import type { SigningKey, SigningKeys } from '../clients/credentials/credentials.js';
import { ConfigError, type ConfigSection } from './config-section.js';

interface Keys {
  /** Keys that verify signatures, by id. */
  readonly verification: { readonly [id: string]: KeyConfig };
  /** Private keys that sign tokens of services. */
  readonly signing: SigningKeys;
}

/** Throws a ConfigError. */
export function parseKeys(section: ConfigSection | undefined): Keys {
  const verification: [string, KeyConfig][] = [];
  const signing = new Map<string, SigningKey>();
  for (const [id, fields] of section?.sections() ?? []) {
    const key = fields.string('key') ?? '';
    const privateKey = fields.string('private_key');
    if (key === '' && privateKey === undefined)
      throw new ConfigError(`invalid keys configuration: no keys provided for key ID ${id}`);
    const scope = fields.string('scope');
    const algorithm = fields.string('algorithm') || 'RS256';
    if (!algorithms.has(algorithm)) {
      throw new ConfigError(`invalid keys configuration: unsupported algorithm '${algorithm}' for key ID ${id}`);
    }
    verification.push([id, { key, algorithm, ...(scope !== undefined && { scope }) }]);
    signing.set(id, { key: privateKey ?? key, algorithm });
  }
  return { verification: Object.fromEntries(verification), signing };
}
