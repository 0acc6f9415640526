/** The schema of a service. */
import { anything, boolean, byName, integer, object, type Schema, string, strings } from './schema.js';

const awsCredentials: { readonly [name: string]: Schema } = {
  environment_credentials: object({ aws_default_region: string }),
  metadata_credentials: object({ aws_region: string, iam_role: string }),
  profile_credentials: object({ path: string, profile: string, aws_region: string }),
  web_identity_credentials: object({ session_name: string, aws_region: string, aws_domain: string }),
  sso_credentials: object({ path: string, profile: string, aws_region: string }),
};

const assumeRole = object({
  aws_signing: object({ service: string, ...awsCredentials }),
  session_name: string,
  iam_role_arn: string,
  aws_region: string,
  aws_domain: string,
});

const awsSigning = object({
  service: string,
  signature_version: string,
  ...awsCredentials,
  assume_role_credentials: assumeRole,
});

const oauth2 = object({
  token_url: string,
  grant_type: string,
  client_id: string,
  client_secret: string,
  client_assertion: string,
  client_assertion_type: string,
  client_assertion_path: string,
  signing_key: string,
  thumbprint: string,
  additional_claims: byName(anything),
  include_jti_claim: boolean,
  scopes: strings,
  additional_headers: byName(string),
  additional_parameters: byName(string),
  aws_kms: byName(anything),
  azure_keyvault: byName(anything),
  aws_signing: byName(anything),
  azure_signing: byName(anything),
});

const credentials = object({
  bearer: object({ scheme: string, token: string, token_path: string }),
  client_tls: object({
    cert: string,
    private_key: string,
    private_key_passphrase: string,
    cert_reread_interval_seconds: integer,
    ca_cert: string,
    system_ca_required: boolean,
  }),
  oauth2,
  s3_signing: awsSigning,
  assume_role_credentials: assumeRole,
  gcp_metadata: object({
    audience: string,
    endpoint: string,
    scopes: strings,
    access_token_path: string,
    id_token_path: string,
  }),
  azure_managed_identity: object({
    endpoint: string,
    api_version: string,
    resource: string,
    object_id: string,
    client_id: string,
    mi_res_id: string,
    use_app_service_msi: boolean,
  }),
  plugin: string,
});

export const service = object({
  name: string,
  url: string,
  headers: byName(string),
  allow_insecure_tls: boolean,
  response_header_timeout_seconds: integer,
  credentials,
  tls: object({ ca_cert: string, system_ca_required: boolean }),
  type: string,
});
