/** The schema of a service. */
import {
  anySchema,
  booleanSchema,
  integerSchema,
  mapSchema,
  objectSchema,
  type Schema,
  stringListSchema,
  stringSchema,
} from './schema.js';

const awsCredentials: { readonly [name: string]: Schema } = {
  environment_credentials: objectSchema({ aws_default_region: stringSchema }),
  metadata_credentials: objectSchema({ aws_region: stringSchema, iam_role: stringSchema }),
  profile_credentials: objectSchema({ path: stringSchema, profile: stringSchema, aws_region: stringSchema }),
  web_identity_credentials: objectSchema({
    session_name: stringSchema,
    aws_region: stringSchema,
    aws_domain: stringSchema,
  }),
  sso_credentials: objectSchema({ path: stringSchema, profile: stringSchema, aws_region: stringSchema }),
};

const assumeRole = objectSchema({
  aws_signing: objectSchema({ service: stringSchema, ...awsCredentials }),
  session_name: stringSchema,
  iam_role_arn: stringSchema,
  aws_region: stringSchema,
  aws_domain: stringSchema,
});

const awsSigning = objectSchema({
  service: stringSchema,
  signature_version: stringSchema,
  ...awsCredentials,
  assume_role_credentials: assumeRole,
});

const oauth2 = objectSchema({
  token_url: stringSchema,
  grant_type: stringSchema,
  client_id: stringSchema,
  client_secret: stringSchema,
  client_assertion: stringSchema,
  client_assertion_type: stringSchema,
  client_assertion_path: stringSchema,
  signing_key: stringSchema,
  thumbprint: stringSchema,
  additional_claims: mapSchema(anySchema),
  include_jti_claim: booleanSchema,
  scopes: stringListSchema,
  additional_headers: mapSchema(stringSchema),
  additional_parameters: mapSchema(stringSchema),
  aws_kms: mapSchema(anySchema),
  azure_keyvault: mapSchema(anySchema),
  aws_signing: mapSchema(anySchema),
  azure_signing: mapSchema(anySchema),
});

const credentials = objectSchema({
  bearer: objectSchema({ scheme: stringSchema, token: stringSchema, token_path: stringSchema }),
  client_tls: objectSchema({
    cert: stringSchema,
    private_key: stringSchema,
    private_key_passphrase: stringSchema,
    cert_reread_interval_seconds: integerSchema,
    ca_cert: stringSchema,
    system_ca_required: booleanSchema,
  }),
  oauth2,
  s3_signing: awsSigning,
  assume_role_credentials: assumeRole,
  gcp_metadata: objectSchema({
    audience: stringSchema,
    endpoint: stringSchema,
    scopes: stringListSchema,
    access_token_path: stringSchema,
    id_token_path: stringSchema,
  }),
  azure_managed_identity: objectSchema({
    endpoint: stringSchema,
    api_version: stringSchema,
    resource: stringSchema,
    object_id: stringSchema,
    client_id: stringSchema,
    mi_res_id: stringSchema,
    use_app_service_msi: booleanSchema,
  }),
  plugin: stringSchema,
});

export const service = objectSchema({
  name: stringSchema,
  url: stringSchema,
  headers: mapSchema(stringSchema),
  allow_insecure_tls: booleanSchema,
  response_header_timeout_seconds: integerSchema,
  credentials,
  tls: objectSchema({ ca_cert: stringSchema, system_ca_required: booleanSchema }),
  type: stringSchema,
});
