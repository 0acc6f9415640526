/** Keys that a machine of AWS gives its programs: an EC2 instance, or a container of ECS or EKS. */
import { ServiceError, type ServiceResponse } from '../request.js';
import type { AwsKeys } from './aws-keys.js';
import type { CredentialsContext } from './credentials.js';
import { jsonOf, requestToken } from './token-request.js';

const instanceService = 'http://169.254.169.254';
const containerService = 'http://169.254.170.2';
const what = 'AWS metadata credentials';

/**
 * The keys of a role of the instance, or of the container where no role is named. Rejects with a
 * ServiceError.
 */
export async function machineKeys(role: string, region: string, context: CredentialsContext): Promise<AwsKeys> {
  const { transport, env } = context;
  const { url, headers } = role === '' ? containerEndpoint(context) : await instanceEndpoint(role, context);
  const fields = jsonOf(what, await requestToken(transport, what, { url, headers }));
  const field = (name: string) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw new ServiceError(`${what}: the response has no ${name}`);
    return value;
  };
  if (typeof fields.Code === 'string' && fields.Code !== 'Success')
    throw new ServiceError(`${what}: the service answered ${fields.Code}`);
  return {
    accessKey: field('AccessKeyId'),
    secretKey: field('SecretAccessKey'),
    sessionToken: field('Token'),
    region: region || env.AWS_REGION || '',
    expiresAt: Date.parse(field('Expiration')) || 0,
  };
}

interface Endpoint {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

function containerEndpoint({ env, transport }: CredentialsContext): Endpoint {
  const relative = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI ?? '';
  const full = env.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? '';
  if (relative === '' && full === '') {
    throw new ServiceError(`${what}: iam_role is not configured and AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not set`);
  }
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE ?? '';
  const token = file === '' ? (env.AWS_CONTAINER_AUTHORIZATION_TOKEN ?? '') : transport.readFile(file).trim();
  return {
    url: relative === '' ? full : containerService + relative,
    headers: token === '' ? {} : { authorization: token },
  };
}

/** Version 2 of the service wants a token first. Where there is none, it is version 1. */
async function instanceEndpoint(role: string, { transport, env }: CredentialsContext): Promise<Endpoint> {
  const base = (env.AWS_EC2_METADATA_SERVICE_ENDPOINT || instanceService).replace(/\/+$/, '');
  const asked = {
    method: 'PUT',
    url: `${base}/latest/api/token`,
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
  };
  let given: ServiceResponse | undefined;
  try {
    given = await requestToken(transport, 'AWS metadata token', asked);
  } catch (error) {
    const status = error instanceof ServiceError ? error.status : undefined;
    if (status === undefined || ![400, 403, 404, 405].includes(status)) throw error;
  }
  const url = `${base}/latest/meta-data/iam/security-credentials/${encodeURIComponent(role)}`;
  return {
    url,
    headers: given === undefined ? {} : { 'x-aws-ec2-metadata-token': Buffer.from(given.body).toString('utf8') },
  };
}
