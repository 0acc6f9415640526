/** Where the keys of AWS come from. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type ConfigSection } from '../../config-section.js';
import { ServiceError } from '../request.js';
import type { AwsKeys, AwsSource } from './aws-keys.js';
import { machineKeys } from './aws-metadata.js';
import { assumedRole, webIdentity } from './aws-sts.js';
import type { CredentialsContext } from './credentials.js';
import { TokenCache } from './token-cache.js';

/** Fetches keys. Rejects with a ServiceError. */
type Fetch = (context: CredentialsContext) => Promise<AwsKeys>;

/** Keys of the environment and of files are read again at this interval. */
const rereadMs = 60_000;

/** The kinds of sources, by precedence. */
const kinds: { readonly [name: string]: (section: ConfigSection) => Fetch } = {
  environment_credentials: () => environmentKeys,
  assume_role_credentials: (section) => {
    const signing = section.section('aws_signing');
    if (signing === undefined) throw new ConfigError('assume_role_credentials: aws_signing is required');
    const makeSource = parseAwsSource(signing, ['assume_role_credentials', 'web_identity_credentials']);
    const settings = stsSettings(section);
    return async (context) => assumedRole(settings, await makeSource(context).get(), context);
  },
  web_identity_credentials: (section) => {
    const settings = stsSettings(section);
    return (context) => webIdentity(settings, context);
  },
  profile_credentials: (section) => {
    const [path, profile, region] = ['path', 'profile', 'aws_region'].map((name) => section.string(name) ?? '') as [string, string, string];
    return async (context) => profileKeys(path, profile, region, context);
  },
  sso_credentials: () => {
    throw new ConfigError('sso_credentials are not supported');
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
export function parseAwsSource(section: ConfigSection, refused: readonly string[] = []): (context: CredentialsContext) => AwsSource {
  const fetches = Object.entries(kinds).flatMap(([name, parse]) => {
    const settings = section.section(name);
    if (settings === undefined) return [];
    if (refused.includes(name)) throw new ConfigError(`${name} cannot sign the request for a role`);
    return [parse(settings)];
  });
  if (fetches.length === 0) throw new ConfigError('s3_signing: no source of credentials was specified');
  return (context) => new TokenCache(() => firstOf(fetches, context));
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
    domain: section.string('aws_domain') || 'amazonaws.com',
  };
}

async function environmentKeys(context: CredentialsContext): Promise<AwsKeys> {
  const { env } = context;
  return {
    accessKey: variable('AWS_ACCESS_KEY_ID', context),
    secretKey: variable('AWS_SECRET_ACCESS_KEY', context),
    region: regionOf('', context),
    sessionToken: env.AWS_SESSION_TOKEN || env.AWS_SECURITY_TOKEN || '',
    expiresAt: Date.now() + rereadMs,
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

/** The keys of a profile, in the file that the tools of AWS share. Throws a ServiceError. */
function profileKeys(path: string, profile: string, region: string, context: CredentialsContext): AwsKeys {
  const { env, transport } = context;
  const file = path || env.AWS_SHARED_CREDENTIALS_FILE || join(homedir(), '.aws', 'credentials');
  const name = profile || env.AWS_PROFILE || 'default';
  const settings = profileSettings(transport.readFile(file), name);
  const required = (key: string) => {
    const value = settings.get(key) ?? '';
    if (value === '') throw new ServiceError(`profile ${JSON.stringify(name)} of ${file} has no ${key}`);
    return value;
  };
  return {
    accessKey: required('aws_access_key_id'),
    secretKey: required('aws_secret_access_key'),
    region: regionOf(region, context),
    sessionToken: settings.get('aws_session_token') ?? '',
    expiresAt: Date.now() + rereadMs,
  };
}

/** The settings of one section of an INI file. */
function profileSettings(text: string, profile: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[(.*?)\]/.exec(line);
    if (head !== null) section = head[1]!.trim().replace(/^profile\s+/, '');
    const pair = /^\s*([^#;=\s]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (pair !== null && section === profile) settings.set(pair[1]!.toLowerCase(), pair[2]!);
  }
  return settings;
}
