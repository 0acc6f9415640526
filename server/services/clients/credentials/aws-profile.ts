/** Profiles in the files that the tools of AWS share. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../request.js';
import type { RegionlessKeys } from './aws-keys.js';
import type { CredentialsContext } from './credentials.js';

/** Where a profile is. Empty texts take it from the environment. */
export interface ProfilePlace {
  readonly path: string;
  readonly profile: string;
}

/** A profile of a file. */
export interface Profile {
  readonly name: string;
  /** A setting of it. Throws a ServiceError where it has none. */
  readonly required: (key: string) => string;
  readonly optional: (key: string) => string;
  /** The section of the file with another name. */
  readonly section: (name: string) => Profile;
}

/** The keys of a profile, which are read again for each request. Throws a ServiceError. */
export function profileKeys(place: ProfilePlace, context: CredentialsContext): RegionlessKeys {
  const file = place.path || context.env.AWS_SHARED_CREDENTIALS_FILE || awsFile('credentials');
  const { required, optional } = readAwsProfile(file, place.profile, context);
  return {
    accessKey: required('aws_access_key_id'),
    secretKey: required('aws_secret_access_key'),
    sessionToken: optional('aws_session_token'),
    expiresAt: 0,
  };
}

/** A file of the user's settings for AWS. */
export function awsFile(...names: readonly string[]): string {
  return join(homedir(), '.aws', ...names);
}

/** Throws a ServiceError where the file cannot be read. */
export function readAwsProfile(file: string, profile: string, { env, transport }: CredentialsContext): Profile {
  const sections = iniSections(transport.readFile(file));
  const named = (name: string, shown: string): Profile => {
    const settings = sections.get(name);
    const optional = (key: string) => settings?.get(key) ?? '';
    const required = (key: string) => {
      const value = optional(key);
      if (value === '') throw new ServiceError(`${shown} of ${file} has no ${key}`);
      return value;
    };
    return { name, optional, required, section: (other) => named(other, other) };
  };
  const name = profile || env.AWS_PROFILE || 'default';
  return named(name, `profile ${JSON.stringify(name)}`);
}

/** The settings of each section of an INI file. */
function iniSections(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, head] = /^\s*\[(.*?)\]/.exec(line) ?? [];
    if (head !== undefined) {
      const name = head.trim().replace(/^profile\s+/, '');
      settings = sections.get(name) ?? new Map();
      sections.set(name, settings);
    }
    const [, name, value = ''] = /^\s*([^#;=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && head === undefined) settings.set(name.toLowerCase(), value);
  }
  return sections;
}
