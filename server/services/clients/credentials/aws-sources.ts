/** Where the keys of AWS come from. */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { ServiceError } from '../request.js';
import type { AwsKeys, AwsSource } from './aws-keys.js';
import { machineKeys } from './aws-metadata.js';
import { profileKeys } from './aws-profile.js';
import { ssoKeys } from './aws-sso.js';
import { assumedRole, webIdentity } from './aws-sts.js';
import type { CredentialsContext } from './credentials.js';
import { TokenCache } from './token-cache.js';

/** Fetches keys. Rejects with a ServiceError. */
type Fetch = (context: CredentialsContext) => Promise<AwsKeys>;

/** The kinds of sources, by precedence. */
const kinds: { readonly [name: string]: (section: ConfigSection) => Fetch } = {
  environment_credentials: (section) => {
    const region = section.string('aws_default_region') ?? '';
    return async (context) => environmentKeys(region, context);
  },
  assume_role_credentials: (section) => {
    const signing = section.section('aws_signing');
    if (signing === undefined) throw new ConfigError('assume_role_credentials: aws_signing is required');
    const makeSource = parseAwsSource(signing, ['assume_role_credentials']);
    const settings = stsSettings(section);
    return async (context) => assumedRole(settings, await makeSource(context).get(), context);
  },
  web_identity_credentials: (section) => {
    const settings = stsSettings(section);
    return (context) => webIdentity(settings, context);
  },
  profile_credentials: (section) => {
    const [settings, region] = profileOf(section);
    return async (context) => ({ ...profileKeys(settings, context), region: regionOf(region, context) });
  },
  sso_credentials: (section) => {
    const [settings, region] = profileOf(section);
    const fetch = ssoKeys(settings);
    return async (context) => ({ ...(await fetch(context)), region: regionOf(region, context) });
  },
  metadata_credentials: (section) => {
    const [region, role] = ['aws_region', 'iam_role'].map((name) => section.string(name) ?? '') as [string, string];
    return async (context) => machineKeys(role, regionOf(region, context), context);
  },
};

/**
 * The source of a section. Where it names several, the first that has keys gives them. Throws a
 * ConfigError.
 * @param refused kinds that have no meaning there
 */
export function parseAwsSource(
  section: ConfigSection,
  refused: readonly string[] = [],
): (context: CredentialsContext) => AwsSource {
  const fetches = Object.entries(kinds).flatMap(([name, parse]) => {
    const settings = section.section(name);
    if (settings === undefined) return [];
    if (refused.includes(name)) throw new ConfigError(`${name} cannot sign the request for a role`);
    return [parse(settings)];
  });
  if (fetches.length === 0) throw new ConfigError('s3_signing: no source of credentials was specified');
  return (context) => new TokenCache(() => firstOf(fetches, context));
}

function profileOf(section: ConfigSection): [settings: { path: string; profile: string }, region: string] {
  const text = (name: string) => section.string(name) ?? '';
  return [{ path: text('path'), profile: text('profile') }, text('aws_region')];
}

async function firstOf(fetches: readonly Fetch[], context: CredentialsContext): Promise<AwsKeys> {
  const problems: string[] = [];
  for (const fetch of fetches) {
    try {
      return await fetch(context);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      problems.push(error.message);
    }
  }
  throw new ServiceError(problems.join('; '));
}

function stsSettings(section: ConfigSection) {
  return {
    role: section.string('iam_role_arn') ?? '',
    session: section.string('session_name') || 'open-policy-agent',
    region: section.string('aws_region') ?? '',
    domain: section.string('aws_domain') ?? '',
  };
}

/** Keys that do not expire are read again for each request. */
function environmentKeys(defaultRegion: string, context: CredentialsContext): AwsKeys {
  const { env } = context;
  return {
    accessKey: variable('AWS_ACCESS_KEY_ID', context),
    secretKey: variable('AWS_SECRET_ACCESS_KEY', context),
    region: env.AWS_REGION || regionOf(defaultRegion, context),
    sessionToken: env.AWS_SESSION_TOKEN || env.AWS_SECURITY_TOKEN || '',
    expiresAt: 0,
  };
}

function variable(name: string, { env }: CredentialsContext): string {
  const value = env[name] ?? '';
  if (value === '') throw new ServiceError(`no ${name} set in environment`);
  return value;
}

function regionOf(configured: string, context: CredentialsContext): string {
  return configured || variable('AWS_REGION', context);
}
