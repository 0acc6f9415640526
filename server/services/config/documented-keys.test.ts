/** The keys that the reference documents for its configuration, all in one. */
import { expect, test } from 'vitest';
import type { PlainObject } from '../../../values/value.js';
import { readConfig } from '../../control/server-config.js';

const service = {
  url: 'https://example.com/control-plane-api/v1',
  response_header_timeout_seconds: 5,
  headers: { 'x-ms-version': '2017-11-09' },
  tls: { ca_cert: '/ca.pem', system_ca_required: true },
  allow_insecure_tls: false,
};

const oauth2 = { token_url: 'https://example.com/token', client_id: 'opa-client', scopes: ['read', 'write'] };
const region = { aws_region: 'us-east-1' };
const session = { ...region, session_name: 'demo', aws_domain: 'amazonaws.com' };

const credentials: readonly PlainObject[] = [
  { bearer: { token: 't', scheme: 'Bearer' } },
  { bearer: { token_path: '/token' } },
  { client_tls: { cert: '/cert.pem', private_key: '/key.pem', private_key_passphrase: 'p' } },
  { oauth2: { ...oauth2, client_secret: 's', additional_headers: { a: 'b' }, additional_parameters: { c: 'd' } } },
  {
    oauth2: {
      ...oauth2,
      grant_type: 'client_credentials',
      signing_key: 'jwt_signing_key',
      thumbprint: '8F1BDDDE9982299E62749C20EDDBAAC57F619D04',
      include_jti_claim: true,
      additional_claims: { sub: 'opa-client' },
    },
  },
  { oauth2: { ...oauth2, client_assertion_path: '/assertion' } },
  { oauth2: { ...oauth2, client_assertion: 'a', client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' } },
  { oauth2: { ...oauth2, grant_type: 'jwt_bearer', signing_key: 'jwt_signing_key', additional_claims: { aud: 'https://a' } } },
  { s3_signing: { service: 'execute-api', signature_version: '4', environment_credentials: {} } },
  { s3_signing: { profile_credentials: { path: '/credentials', profile: 'p', ...region } } },
  { s3_signing: { sso_credentials: { path: '/config', profile: 'p', ...region } } },
  { s3_signing: { metadata_credentials: { iam_role: 'r', ...region } } },
  { s3_signing: { assume_role_credentials: { ...session, iam_role_arn: 'arn', aws_signing: { metadata_credentials: region } } } },
  // As an example of the documentation has it.
  { assume_role_credentials: { ...session, iam_role_arn: 'arn', aws_signing: { metadata_credentials: region } } },
  { s3_signing: { web_identity_credentials: session } },
  { gcp_metadata: { audience: 'https://a', endpoint: 'http://m', access_token_path: '/a', id_token_path: '/i' } },
  { gcp_metadata: { scopes: ['https://www.googleapis.com/auth/devstorage.read_only'] } },
  { azure_managed_identity: { endpoint: 'http://m', api_version: '2018-02-01', resource: 'r', object_id: 'o' } },
  { azure_managed_identity: { client_id: 'c' } },
  { azure_managed_identity: { mi_res_id: 'm' } },
];

const polling = { min_delay_seconds: 60, max_delay_seconds: 120, long_polling_timeout_seconds: 30 };
const signing = { keyid: 'global_key', scope: 'write', exclude_files: ['data.json'] };
const bundle = { service: 's0', resource: 'r', polling, persist: true, signing, trigger: 'periodic' };

const documented: PlainObject = {
  services: Object.fromEntries(credentials.map((given, i) => [`s${i}`, { ...service, credentials: given }])),
  labels: { app: 'myapp' },
  bundles: { authz: { ...bundle, size_limit_bytes: 1_073_741_824 } },
  discovery: { ...bundle, decision: 'a/b', prefix: 'bundles', name: 'n' },
  decision_logs: {
    service: 's0',
    partition_name: 'p',
    resource: '/logs',
    reporting: {
      buffer_type: 'size',
      buffer_size_limit_bytes: 1_000_000,
      upload_size_limit_bytes: 32_768,
      min_delay_seconds: 300,
      max_delay_seconds: 600,
      trigger: 'periodic',
    },
    mask_decision: '/system/log/mask',
    drop_decision: '/system/log/drop',
    console: true,
    request_context: { http: { headers: ['X-Request-Id'] } },
  },
  status: {
    service: 's0',
    partition_name: 'p',
    console: true,
    prometheus: true,
    prometheus_config: { collectors: { bundle_loading_duration_ns: { buckets: [1000, 2000.5] } } },
    trigger: 'periodic',
  },
  keys: {
    global_key: { key: 'k', algorithm: 'HS256', scope: 'read' },
    jwt_signing_key: { private_key: 'k', algorithm: 'HS256' },
  },
  distributed_tracing: {
    type: 'grpc',
    address: 'localhost:4317',
    service_name: 'opa',
    sample_percentage: 50,
    encryption: 'off',
    allow_insecure_tls: false,
    resource: { service_version: '1', service_instance_id: '2', service_namespace: '3', deployment_environment: '4' },
    batch_span_processor_options: {
      blocking: false,
      batch_timeout_ms: 5000,
      export_timeout_ms: 30_000,
      max_export_batch_size: 512,
      max_queue_size: 2048,
    },
  },
  metrics_export: {
    type: 'otlp/http',
    address: 'localhost:4318',
    export_interval_ms: 60_000,
    service_name: 'opa',
    encryption: 'off',
    allow_insecure_tls: false,
    tls_ca_cert_file: 'ca.pem',
    tls_cert_file: 'cert.pem',
    tls_private_key_file: 'key.pem',
  },
  server: {
    decoding: { max_length: 134_217_728, gzip: { max_length: 268_435_456 } },
    encoding: { gzip: { min_length: 1024, compression_level: 9 } },
    metrics: { prom: { http_request_duration_seconds: { buckets: [1e-6, 0.1, 1] } } },
  },
  default_decision: '/http/example/authz/allow',
  default_authorization_decision: '/system/authz/allow',
  persistence_directory: '/var/opa',
  plugins: {
    file_logger: { path: '/var/log/d.log', max_size_mb: 100, max_age_days: 28, max_backups: 3, compress: true, level: 'info' },
  },
  nd_builtin_cache: true,
};

test('they are read without a warning', () => {
  expect(readConfig(documented).warnings).toEqual([]);
});

test('a plugin for the log of the server is one', () => {
  const warnings = ['config key "server.logger_plugin" has no effect in this release'];
  expect(readConfig({ ...documented, server: { logger_plugin: 'file_logger' } }).warnings).toEqual(warnings);
});

test.each([
  [{ caching: { inter_query_builtin_cache: { max_size_bytes: 1 } } }, 'config key "caching" has no effect in this release'],
  [{ storage: { disk: { directory: '/d', partitions: ['/a'] } } }, 'config key "storage.disk.partitions" has no effect in this release'],
  [{ storage: { disk: { directory: '/d', badger: 'nummemtables=1' } } }, 'config key "storage.disk.badger" has no effect in this release'],
  [{ metrics_export: { interval: 1 } }, 'config key "metrics_export.interval" is unknown and has no effect'],
  [{ services: { s: { uri: 'x' } } }, 'config key "services.s.uri" is unknown and has no effect'],
  [
    { distributed_tracing: { batch_span_processor_options: { blocking: true } } },
    'config key "distributed_tracing.batch_span_processor_options.blocking" has no effect in this release',
  ],
])('%j is a warning', (config, warning) => {
  expect(readConfig(config).warnings).toEqual([warning]);
});

test.each([
  [{ plugins: { mine: {} } }, 'mine'],
  [{ services: { s: { credentials: { plugin: 'mine' } } } }, 'service "s"'],
  [{ decision_logs: { plugin: 'mine' } }, 'invalid plugin name "mine" in decision_logs'],
  [{ status: { plugin: 'mine' } }, 'invalid plugin name "mine" in status'],
  [
    { services: { s: { credentials: { oauth2: { ...oauth2, azure_keyvault: { key: 'k' }, azure_signing: { service: 'keyvault' } } } } } },
    'oauth2.azure_keyvault is not supported',
  ],
  [
    { services: { s: { credentials: { oauth2: { ...oauth2, aws_kms: { name: 'k' }, aws_signing: { service: 'kms' } } } } } },
    'oauth2.aws_kms is not supported',
  ],
  [{ services: { s: { credentials: { s3_signing: { signature_version: '4a' } } } } }, 'signature_version "4a" is not supported'],
])('%j is an error', (config, message) => {
  expect(() => readConfig(config)).toThrow(message);
});
