/** `credentials.s3_signing`: requests signed for AWS (Signature Version 4). */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import type { UnsignedRequest } from '../request.js';
import { EcrTokens } from './aws-ecr.js';
import { awsHeaders } from './aws-headers.js';
import type { AwsSource } from './aws-keys.js';
import { parseAwsSource } from './aws-sources.js';
import type { Credentials, MakeCredentials } from './credentials.js';

/** Throws a ConfigError. */
export function parseS3Signing(section: ConfigSection): MakeCredentials {
  const service = section.string('service') || 's3';
  const version = section.string('signature_version') || '4';
  if (version === '4a')
    throw new ConfigError('signature_version "4a" is not supported: requests are signed with version 4');
  if (version !== '4') throw new ConfigError(`invalid signature_version ${JSON.stringify(version)}`);
  const makeSource = parseAwsSource(section);
  return (context) => {
    const source = makeSource(context);
    return service === 'ecr' ? new EcrTokens(source, context) : new AwsSigning(service, source);
  };
}

class AwsSigning implements Credentials {
  readonly #service: string;
  readonly #source: AwsSource;

  constructor(service: string, source: AwsSource) {
    this.#service = service;
    this.#source = source;
  }

  async headers(request: UnsignedRequest): Promise<{ readonly [name: string]: string }> {
    return awsHeaders(request, this.#service, await this.#source.get());
  }

  refused(): void {
    this.#source.forget();
  }
}
