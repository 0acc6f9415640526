/** `credentials.bearer`: a token of the configuration or of a file. */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { ServiceError } from '../request.js';
import type { Credentials, MakeCredentials, SigningKeys } from './credentials.js';

/** Throws a ConfigError. */
export function parseBearer(section: ConfigSection, _keys: SigningKeys, isOci: boolean): MakeCredentials {
  const scheme = section.string('scheme') || 'Bearer';
  const token = section.string('token') ?? '';
  const path = section.string('token_path') ?? '';
  if (token === '' && path === '') throw new ConfigError('invalid config: neither token nor token_path was specified');
  if (token !== '' && path !== '') throw new ConfigError('invalid config: token and token_path are both specified');
  return ({ transport }): Credentials => ({
    // A file is read for each request: tokens in files are replaced while they are used.
    async headers() {
      const text = token || transport.readFile(path).trim();
      if (text === '') throw new ServiceError(`the token in ${path} is empty`);
      const isLogin = text.includes(':') && (isOci || scheme.toLowerCase() === 'basic');
      // Registries of images take all of these in base64, also `user:password`.
      const sent = isOci || isLogin ? Buffer.from(text).toString('base64') : text;
      return { authorization: `${isLogin ? 'Basic' : scheme} ${sent}` };
    },
  });
}
