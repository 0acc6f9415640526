/** The metadata of this server as a policy decision point. */
import type { PlainObject } from '../../../values/index.js';

export const accessPaths = {
  evaluation: '/access/v1/evaluation',
  evaluations: '/access/v1/evaluations',
  search: {
    subject: '/access/v1/search/subject',
    resource: '/access/v1/search/resource',
    action: '/access/v1/search/action',
  },
} as const;

/** @param base the URL at which clients find the API */
export function accessMetadata(base: string): PlainObject {
  return {
    policy_decision_point: base,
    access_evaluation_endpoint: `${base}${accessPaths.evaluation}`,
    access_evaluations_endpoint: `${base}${accessPaths.evaluations}`,
    search_subject_endpoint: `${base}${accessPaths.search.subject}`,
    search_resource_endpoint: `${base}${accessPaths.search.resource}`,
    search_action_endpoint: `${base}${accessPaths.search.action}`,
  };
}
