/** `credentials.s3_signing`: requests signed for AWS (Signature Version 4). */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { ServiceError, type UnsignedRequest } from '../request.js';
import { awsHeaders } from './aws-headers.js';
import type { AwsSource } from './aws-keys.js';
import { parseAwsSource } from './aws-sources.js';
import type { Credentials, CredentialsContext, MakeCredentials } from './credentials.js';
import { type AccessToken, TokenCache } from './token-cache.js';
import { jsonOf, requestToken } from './token-request.js';

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

const what = 'ECR authorization token';

/** Passwords of AWS's image registry (ECR), which are given for signed requests. */
class EcrTokens implements Credentials {
  readonly #source: AwsSource;
  readonly #context: CredentialsContext;
  readonly #tokens = new TokenCache(() => this.#fetch());

  constructor(source: AwsSource, context: CredentialsContext) {
    this.#source = source;
    this.#context = context;
  }

  async headers(): Promise<{ readonly [name: string]: string }> {
    return { authorization: `Basic ${(await this.#tokens.get()).value}` };
  }

  refused(): void {
    this.#tokens.forget();
    this.#source.forget();
  }

  async #fetch(): Promise<AccessToken> {
    const keys = await this.#source.get();
    const { env, transport } = this.#context;
    const url = env.AWS_ENDPOINT_URL_ECR || `https://api.ecr.${keys.region}.amazonaws.com/`;
    const body = '{}';
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
    };
    const unsigned = {
      method: 'POST',
      url: new URL(url),
      headers: new Map(Object.entries(headers)),
      body: Buffer.from(body),
    };
    const signed = { ...headers, ...awsHeaders(unsigned, 'ecr', keys) };
    const response = jsonOf(what, await requestToken(transport, what, { method: 'POST', url, headers: signed, body }));
    const [data] = Array.isArray(response.authorizationData)
      ? (response.authorizationData as { [name: string]: unknown }[])
      : [];
    const { authorizationToken: value, expiresAt: seconds } = data ?? {};
    if (typeof value !== 'string') throw new ServiceError(`${what}: the response has no token`);
    return { value, expiresAt: 1000 * Number(seconds) || 0 };
  }
}
