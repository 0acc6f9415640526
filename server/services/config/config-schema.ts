/**
 * The configuration as a JSON Schema (draft 2020-12). An unknown key is a warning, a value of
 * another type an error.
 */
import { anything, boolean, byName, integer, number, numbers, object, type Schema, string, strings } from './schema.js';
import { service } from './services-schema.js';

const polling = object({
  min_delay_seconds: integer,
  max_delay_seconds: integer,
  long_polling_timeout_seconds: integer,
});
const trigger: Schema = { type: 'string' };

const signing = object({ keyid: string, scope: string, exclude_files: strings });

const bundleFields = {
  service: string,
  resource: string,
  prefix: string,
  name: string,
  polling,
  persist: boolean,
  signing,
  size_limit_bytes: integer,
  trigger,
};

const reporting = object({
  buffer_type: string,
  buffer_size_limit_bytes: integer,
  buffer_size_limit_events: integer,
  upload_size_limit_bytes: integer,
  min_delay_seconds: integer,
  max_delay_seconds: integer,
  max_decisions_per_second: number,
  trigger,
});

/** Where a collector of OpenTelemetry is, and who sends to it. */
const collectorFields = {
  type: string,
  address: string,
  service_name: string,
  encryption: string,
  allow_insecure_tls: boolean,
  tls_ca_cert_file: string,
  tls_cert_file: string,
  tls_private_key_file: string,
  resource: object({
    service_namespace: string,
    service_version: string,
    service_instance_id: string,
    deployment_environment: string,
  }),
} as const;

const envoy = {
  ...object({
    addr: string,
    path: string,
    query: string,
    'dry-run': boolean,
    'enable-reflection': boolean,
    'proto-descriptor': string,
    'skip-request-body-parse': boolean,
    'grpc-max-recv-msg-size': integer,
    'grpc-max-send-msg-size': integer,
    'enable-performance-metrics': boolean,
    'grpc-request-duration-seconds-buckets': numbers,
  }),
  description: "Envoy's external authorization over gRPC.",
};

const fileLogger = {
  ...object({
    path: string,
    max_size_mb: integer,
    max_age_days: integer,
    max_backups: integer,
    compress: boolean,
    level: string,
  }),
  description: 'A file for events, where decision_logs.plugin names it.',
};

const forward = {
  ...object({
    addr: string,
    path: string,
    query: string,
    'dry-run': boolean,
    'skip-request-body-parse': boolean,
    source: string,
  }),
  description: 'Authorization for gateways that ask over HTTP. Not a plugin of the reference.',
};

const authzen = {
  ...object({
    path: string,
    paths: {
      type: 'array',
      items: object({ subject_type: string, action: string, resource_type: string, path: string }),
    },
    url: string,
    reasons: boolean,
    search: object({ subject: string, resource: string, action: string, page_size: { ...integer, minimum: 1 } }),
  }),
  description: 'The AuthZEN Authorization API. Not a plugin of the reference.',
};

export const configSchema: Schema = object({
  services: {
    type: ['object', 'array'],
    description: 'Remote services, by name.',
    additionalProperties: service,
    items: service,
  },
  labels: { ...byName(string), description: 'Shown with each decision and status.' },
  keys: byName(object({ key: string, private_key: string, algorithm: string, scope: string })),
  default_decision: { ...string, description: 'The decision of POST /.' },
  default_authorization_decision: {
    ...string,
    description: 'The decision about requests, with --authorization=basic.',
  },
  decision_logs: object({
    console: boolean,
    service: string,
    plugin: string,
    partition_name: string,
    resource: string,
    reporting,
    mask_decision: string,
    drop_decision: string,
    request_context: object({ http: object({ headers: strings }) }),
    nd_builtin_cache: boolean,
    why: { ...boolean, description: 'Whether events have a summary by rule. Not a key of the reference.' },
    recent: {
      ...integer,
      description: 'The number of last events that `run --ui` shows, 200 if left out. Not a key of the reference.',
    },
    file: {
      ...object({ path: string, max_size_bytes: integer, max_backups: integer }),
      description: 'A file for events, rotated by size. Not a key of the reference.',
    },
  }),
  status: object({
    console: boolean,
    prometheus: boolean,
    prometheus_config: object({ collectors: object({ bundle_loading_duration_ns: object({ buckets: numbers }) }) }),
    service: string,
    plugin: string,
    partition_name: string,
    resource: string,
    trigger,
  }),
  bundles: byName(object(bundleFields)),
  bundle: object(bundleFields),
  discovery: object({ ...bundleFields, decision: string }),
  plugins: object({
    envoy_ext_authz_grpc: envoy,
    'envoy.ext_authz.grpc': envoy,
    file_logger: fileLogger,
    forward_auth: forward,
    authzen,
  }),
  nd_builtin_cache: boolean,
  persistence_directory: string,
  distributed_tracing: object({
    ...collectorFields,
    sample_percentage: number,
    batch_span_processor_options: object({
      blocking: boolean,
      max_queue_size: integer,
      max_export_batch_size: integer,
      batch_timeout_ms: integer,
      export_timeout_ms: integer,
    }),
  }),
  metrics_export: object({ ...collectorFields, export_interval_ms: integer, export_timeout_ms: integer }),
  storage: {
    ...object({
      disk: object({ directory: string, auto_create: boolean, partitions: { ...strings }, badger: anything }),
      file: object({ directory: string, auto_create: boolean }),
      postgres: object({
        url: string,
        schema: string,
        max_connections: { ...integer, minimum: 1 },
        snapshot_directory: string,
      }),
      amend_bundles: { ...boolean, description: 'Whether clients may write within the roots of bundles.' },
      snapshot_every: { ...integer, minimum: 1, description: 'Writes after which a snapshot is made.' },
      max_lag_seconds: { ...number, minimum: 0, description: 'The longest lag of a healthy server.' },
      max_wait_seconds: {
        ...number,
        minimum: 0,
        maximum: 3600,
        description: 'The longest wait of a request for a revision.',
      },
    }),
    description: 'The log of writes. All keys but disk are not of the reference.',
  },
  caching: anything,
  server: object({
    logger_plugin: string,
    encoding: object({
      gzip: object({
        min_length: { ...integer, minimum: 0 },
        compression_level: { ...integer, minimum: 0, maximum: 9 },
      }),
    }),
    decoding: object({
      max_length: { ...integer, minimum: 1 },
      gzip: object({ max_length: { ...integer, minimum: 1 } }),
    }),
    metrics: object({
      prom: object({ http_request_duration_seconds: object({ buckets: numbers }) }),
    }),
    max_statement_tokens: {
      ...integer,
      minimum: 1,
      description:
        'Most tokens of one statement of a policy that a client puts, and of a query for /v1/compile. Not a key of the reference.',
    },
    yaml_version: {
      enum: ['1.1', '1.2', 1.1, 1.2],
      description: 'The version of YAML that data, inputs and yaml.unmarshal are read as. Not a key of the reference.',
    },
    max_batch_inputs: { ...integer, minimum: 1, description: 'Most inputs of one batch. Not a key of the reference.' },
    max_patch_operations: {
      ...integer,
      minimum: 1,
      description: 'Most operations of one patch. Not a key of the reference.',
    },
    max_watches: { ...integer, minimum: 0, description: 'Most watches at the same time. Not a key of the reference.' },
    decision_timeout_seconds: {
      ...number,
      minimum: 0,
      maximum: 2_000_000,
      description:
        'Longest time from the arrival of a request to its answer; 0 is no limit. Not a key of the reference.',
    },
  }),
});
