/** Passwords of AWS's image registry (ECR), which are given for signed requests. */
import { ServiceError } from '../request.js';
import { awsHeaders } from './aws-headers.js';
import type { AwsSource } from './aws-keys.js';
import type { Credentials, CredentialsContext } from './credentials.js';
import { type AccessToken, TokenCache } from './token-cache.js';
import { jsonOf, requestToken } from './token-request.js';

const what = 'ECR authorization token';

export class EcrTokens implements Credentials {
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
