/** The metadata of this server as a policy decision point. */
import type { PlainObject } from '../../values/value.js';

export const accessPaths = {
  evaluation: '/access/v1/evaluation',
  evaluations: '/access/v1/evaluations',
} as const;

/** @param base the URL at which clients find the API */
export function accessMetadata(base: string): PlainObject {
  return {
    policy_decision_point: base,
    access_evaluation_endpoint: `${base}${accessPaths.evaluation}`,
    access_evaluations_endpoint: `${base}${accessPaths.evaluations}`,
  };
}
