/** Keys of AWS. */
import type { AwsCredentials } from '../../../../values/index.js';
import type { TokenCache } from './token-cache.js';

/** Keys with the time when they expire, in milliseconds since 1970. */
export interface AwsKeys extends AwsCredentials {
  readonly expiresAt: number;
}

/** Keys that are fetched when they are needed, and kept until they expire. */
export type AwsSource = TokenCache<AwsKeys>;

/** Keys whose region is configured elsewhere. */
export type RegionlessKeys = Omit<AwsKeys, 'region'>;
