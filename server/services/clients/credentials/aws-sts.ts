/** Keys of AWS's token service (STS): for a role, or for the token of another identity service. */
import type { AwsCredentials } from '../../../../values/index.js';
import { ServiceError, type ServiceResponse } from '../request.js';
import { awsHeaders } from './aws-headers.js';
import type { AwsKeys } from './aws-keys.js';
import type { CredentialsContext } from './credentials.js';
import { requestToken } from './token-request.js';

interface StsSettings {
  /** The role's name (ARN); empty takes it from the environment. */
  readonly role: string;
  readonly session: string;
  readonly region: string;
  /** The domain of the service; empty takes it from the environment. */
  readonly domain: string;
}

const version = '2011-06-15';

/** Keys of a role, for the holder of other keys. Rejects with a ServiceError. */
export async function assumedRole(
  settings: StsSettings,
  keys: AwsCredentials,
  context: CredentialsContext,
): Promise<AwsKeys> {
  const role = settings.role || context.env.AWS_ROLE_ARN || '';
  if (role === '') throw new ServiceError('no AWS_ROLE_ARN set in environment or configuration');
  const region = settings.region || keys.region;
  const request = stsRequest(settings, region, context, {
    Action: 'AssumeRole',
    RoleArn: role,
    RoleSessionName: settings.session,
  });
  const unsigned = {
    ...request,
    url: new URL(request.url),
    headers: new Map(Object.entries(request.headers)),
    body: Buffer.from(request.body),
  };
  const headers = { ...request.headers, ...awsHeaders(unsigned, 'sts', { ...keys, region }) };
  return keysOf(await requestToken(context.transport, 'AWS role credentials', { ...request, headers }), region);
}

/** Keys of a role, for a token in a file. Rejects with a ServiceError. */
export async function webIdentity(settings: StsSettings, context: CredentialsContext): Promise<AwsKeys> {
  const { env, transport } = context;
  const role = env.AWS_ROLE_ARN || settings.role;
  const file = env.AWS_WEB_IDENTITY_TOKEN_FILE ?? '';
  const region = settings.region || env.AWS_REGION || '';
  if (role === '') throw new ServiceError('no AWS_ROLE_ARN set in environment');
  if (file === '') throw new ServiceError('no AWS_WEB_IDENTITY_TOKEN_FILE set in environment');
  if (region === '') throw new ServiceError('no AWS_REGION set in environment or configuration');
  const token = transport.readFile(file).trim();
  const parameters = {
    Action: 'AssumeRoleWithWebIdentity',
    RoleArn: role,
    RoleSessionName: settings.session,
    WebIdentityToken: token,
  };
  return keysOf(
    await requestToken(transport, 'AWS web identity', stsRequest(settings, region, context, parameters)),
    region,
  );
}

function stsRequest(
  { domain }: StsSettings,
  region: string,
  { env }: CredentialsContext,
  parameters: Record<string, string>,
) {
  return {
    method: 'POST',
    url: env.AWS_ENDPOINT_URL_STS || `https://sts.${region}.${domain || env.AWS_DOMAIN || 'amazonaws.com'}/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...parameters, Version: version }).toString(),
  };
}

/** The answer is XML with four elements of plain text. Throws a ServiceError. */
function keysOf({ body }: ServiceResponse, region: string): AwsKeys {
  const text = Buffer.from(body).toString('utf8');
  const element = (name: string) => {
    const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]?.trim() ?? '';
    if (value === '') throw new ServiceError(`AWS token service: the response has no ${name}`);
    return value;
  };
  return {
    accessKey: element('AccessKeyId'),
    secretKey: element('SecretAccessKey'),
    sessionToken: element('SessionToken'),
    region,
    expiresAt: Date.parse(element('Expiration')) || 0,
  };
}
