/** Keys of a role for a user who has signed in with `aws sso login` (IAM Identity Center). */
import { createHash } from 'node:crypto';
import { ServiceError } from '../request.js';
import type { RegionlessKeys } from './aws-keys.js';
import { awsFile, type Profile, type ProfilePlace, readAwsProfile } from './aws-profile.js';
import type { CredentialsContext } from './credentials.js';
import { jsonOf, requestToken } from './token-request.js';

const what = 'AWS SSO credentials';

/** A token that expires within this time is replaced, because a request takes time. */
const marginMs = 60_000;

/** The token file of `aws sso login`. */
interface SignIn {
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly refreshToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A function that gives the keys of a profile's role. It rejects with a ServiceError. A token that
 * expires is replaced by the session's refresh token; the new one is kept in memory.
 */
export function ssoKeys(place: ProfilePlace): (context: CredentialsContext) => Promise<RegionlessKeys> {
  let renewed: SignIn | undefined;
  return async (context) => {
    const { env, transport } = context;
    const profile = readAwsProfile(place.path || env.AWS_CONFIG_FILE || awsFile('config'), place.profile, context);
    const session = sessionOf(profile);
    const saved = savedSignIn(session.cacheName, context);
    let signIn = renewed !== undefined && renewed.expiresAt > saved.expiresAt ? renewed : saved;
    if (Date.now() > signIn.expiresAt - marginMs) {
      renewed = await renew(signIn, session.region, context);
      signIn = renewed;
    }
    const query = new URLSearchParams({
      account_id: profile.required('sso_account_id'),
      role_name: profile.required('sso_role_name'),
    });
    const base = env.AWS_ENDPOINT_URL_SSO || `https://portal.sso.${session.region}.amazonaws.com`;
    const request = {
      url: `${withoutSlash(base)}/federation/credentials?${query}`,
      headers: { 'x-amz-sso_bearer_token': signIn.accessToken },
    };
    return roleKeys(jsonOf(what, await requestToken(transport, what, request)).roleCredentials);
  };
}

/** The session of a profile: a section of its own, or settings of the profile in older files. */
function sessionOf(profile: Profile): { readonly region: string; readonly cacheName: string } {
  const name = profile.optional('sso_session');
  const settings = name === '' ? profile : profile.section(`sso-session ${name}`);
  const startUrl = settings.required('sso_start_url');
  return { region: settings.required('sso_region'), cacheName: name === '' ? startUrl : name };
}

function savedSignIn(cacheName: string, { transport }: CredentialsContext): SignIn {
  const file = awsFile('sso', 'cache', `${createHash('sha1').update(cacheName).digest('hex')}.json`);
  const text = transport.readFile(file);
  let fields: { readonly [name: string]: unknown } = {};
  try {
    fields = JSON.parse(text);
  } catch {
    // The text may have a token, so it is in no message.
  }
  const field = (name: string) => (typeof fields?.[name] === 'string' ? (fields[name] as string) : '');
  const accessToken = field('accessToken');
  if (accessToken === '') throw new ServiceError(`${what}: ${file} has no token: sign in with "aws sso login"`);
  const [refreshToken, clientId, clientSecret] = [field('refreshToken'), field('clientId'), field('clientSecret')];
  return {
    accessToken,
    refreshToken,
    clientId,
    clientSecret,
    expiresAt: Date.parse(field('expiresAt').replace(/UTC$/, 'Z')) || 0,
  };
}

async function renew(signIn: SignIn, region: string, { env, transport }: CredentialsContext): Promise<SignIn> {
  const { clientId, clientSecret, refreshToken } = signIn;
  if (refreshToken === '') throw new ServiceError(`${what}: the session has expired: sign in with "aws sso login"`);
  const base = env.AWS_ENDPOINT_URL_SSO_OIDC || `https://oidc.${region}.amazonaws.com`;
  const body = JSON.stringify({ clientId, clientSecret, grantType: 'refresh_token', refreshToken });
  const headers = { 'content-type': 'application/json' };
  const response = jsonOf(
    what,
    await requestToken(transport, what, { method: 'POST', url: `${withoutSlash(base)}/token`, headers, body }),
  );
  const { accessToken, refreshToken: next, expiresIn } = response;
  if (typeof accessToken !== 'string' || accessToken === '')
    throw new ServiceError(`${what}: the response has no accessToken`);
  const expiresAt = Date.now() + 1000 * (Number(expiresIn) || 0);
  return { ...signIn, accessToken, expiresAt, refreshToken: typeof next === 'string' ? next : refreshToken };
}

function roleKeys(given: unknown): RegionlessKeys {
  const fields = (given ?? {}) as { readonly [name: string]: unknown };
  const field = (name: string) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw new ServiceError(`${what}: the response has no ${name}`);
    return value;
  };
  return {
    accessKey: field('accessKeyId'),
    secretKey: field('secretAccessKey'),
    sessionToken: field('sessionToken'),
    expiresAt: Number(fields.expiration) || 0,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
