/**
 * The configuration as a JSON Schema (draft 2020-12). An unknown key is a warning, a value of
 * another type an error.
 */
import {
  anySchema,
  booleanSchema,
  integerSchema,
  mapSchema,
  numberListSchema,
  numberSchema,
  objectSchema,
  type Schema,
  stringListSchema,
  stringSchema,
} from './schema.js';
import { service } from './services-schema.js';

const polling = objectSchema({
  min_delay_seconds: integerSchema,
  max_delay_seconds: integerSchema,
  long_polling_timeout_seconds: integerSchema,
});
const trigger: Schema = { type: 'string' };

const signing = objectSchema({ keyid: stringSchema, scope: stringSchema, exclude_files: stringListSchema });

const bundleFields = {
  service: stringSchema,
  resource: stringSchema,
  prefix: stringSchema,
  name: stringSchema,
  polling,
  persist: booleanSchema,
  signing,
  size_limit_bytes: integerSchema,
  trigger,
};

const reporting = objectSchema({
  buffer_type: stringSchema,
  buffer_size_limit_bytes: integerSchema,
  buffer_size_limit_events: integerSchema,
  upload_size_limit_bytes: integerSchema,
  min_delay_seconds: integerSchema,
  max_delay_seconds: integerSchema,
  max_decisions_per_second: numberSchema,
  trigger,
});

/** Where a collector of OpenTelemetry is, and who sends to it. */
const collectorFields = {
  type: stringSchema,
  address: stringSchema,
  service_name: stringSchema,
  encryption: stringSchema,
  allow_insecure_tls: booleanSchema,
  tls_ca_cert_file: stringSchema,
  tls_cert_file: stringSchema,
  tls_private_key_file: stringSchema,
  resource: objectSchema({
    service_namespace: stringSchema,
    service_version: stringSchema,
    service_instance_id: stringSchema,
    deployment_environment: stringSchema,
  }),
} as const;

const envoy = {
  ...objectSchema({
    addr: stringSchema,
    path: stringSchema,
    query: stringSchema,
    'dry-run': booleanSchema,
    'enable-reflection': booleanSchema,
    'proto-descriptor': stringSchema,
    'skip-request-body-parse': booleanSchema,
    'grpc-max-recv-msg-size': integerSchema,
    'grpc-max-send-msg-size': integerSchema,
    'enable-performance-metrics': booleanSchema,
    'grpc-request-duration-seconds-buckets': numberListSchema,
  }),
  description: "Envoy's external authorization over gRPC.",
};

const fileLogger = {
  ...objectSchema({
    path: stringSchema,
    max_size_mb: integerSchema,
    max_age_days: integerSchema,
    max_backups: integerSchema,
    compress: booleanSchema,
    level: stringSchema,
  }),
  description: 'A file for events, where decision_logs.plugin names it.',
};

const forward = {
  ...objectSchema({
    addr: stringSchema,
    path: stringSchema,
    query: stringSchema,
    'dry-run': booleanSchema,
    'skip-request-body-parse': booleanSchema,
    source: stringSchema,
  }),
  description: 'Authorization for gateways that ask over HTTP. Not a plugin of the reference.',
};

const authzen = {
  ...objectSchema({
    path: stringSchema,
    paths: {
      type: 'array',
      items: objectSchema({
        subject_type: stringSchema,
        action: stringSchema,
        resource_type: stringSchema,
        path: stringSchema,
      }),
    },
    url: stringSchema,
    reasons: booleanSchema,
    search: objectSchema({
      subject: stringSchema,
      resource: stringSchema,
      action: stringSchema,
      page_size: { ...integerSchema, minimum: 1 },
    }),
  }),
  description: 'The AuthZEN Authorization API. Not a plugin of the reference.',
};

export const configSchema: Schema = objectSchema({
  services: {
    type: ['object', 'array'],
    description: 'Remote services, by name.',
    additionalProperties: service,
    items: service,
  },
  labels: { ...mapSchema(stringSchema), description: 'Shown with each decision and status.' },
  keys: mapSchema(
    objectSchema({ key: stringSchema, private_key: stringSchema, algorithm: stringSchema, scope: stringSchema }),
  ),
  default_decision: { ...stringSchema, description: 'The decision of POST /.' },
  default_authorization_decision: {
    ...stringSchema,
    description: 'The decision about requests, with --authorization=basic.',
  },
  decision_logs: objectSchema({
    console: booleanSchema,
    service: stringSchema,
    plugin: stringSchema,
    partition_name: stringSchema,
    resource: stringSchema,
    reporting,
    mask_decision: stringSchema,
    drop_decision: stringSchema,
    request_context: objectSchema({ http: objectSchema({ headers: stringListSchema }) }),
    nd_builtin_cache: booleanSchema,
    why: { ...booleanSchema, description: 'Whether events have a summary by rule. Not a key of the reference.' },
    recent: {
      ...integerSchema,
      description: 'The number of last events that `run --ui` shows, 200 if left out. Not a key of the reference.',
    },
    file: {
      ...objectSchema({ path: stringSchema, max_size_bytes: integerSchema, max_backups: integerSchema }),
      description: 'A file for events, rotated by size. Not a key of the reference.',
    },
  }),
  status: objectSchema({
    console: booleanSchema,
    prometheus: booleanSchema,
    prometheus_config: objectSchema({
      collectors: objectSchema({ bundle_loading_duration_ns: objectSchema({ buckets: numberListSchema }) }),
    }),
    service: stringSchema,
    plugin: stringSchema,
    partition_name: stringSchema,
    resource: stringSchema,
    trigger,
  }),
  bundles: mapSchema(objectSchema(bundleFields)),
  bundle: objectSchema(bundleFields),
  discovery: objectSchema({ ...bundleFields, decision: stringSchema }),
  plugins: objectSchema({
    envoy_ext_authz_grpc: envoy,
    'envoy.ext_authz.grpc': envoy,
    file_logger: fileLogger,
    forward_auth: forward,
    authzen,
  }),
  nd_builtin_cache: booleanSchema,
  persistence_directory: stringSchema,
  distributed_tracing: objectSchema({
    ...collectorFields,
    sample_percentage: numberSchema,
    batch_span_processor_options: objectSchema({
      blocking: booleanSchema,
      max_queue_size: integerSchema,
      max_export_batch_size: integerSchema,
      batch_timeout_ms: integerSchema,
      export_timeout_ms: integerSchema,
    }),
  }),
  metrics_export: objectSchema({
    ...collectorFields,
    export_interval_ms: integerSchema,
    export_timeout_ms: integerSchema,
  }),
  storage: {
    ...objectSchema({
      disk: objectSchema({
        directory: stringSchema,
        auto_create: booleanSchema,
        partitions: { ...stringListSchema },
        badger: anySchema,
      }),
      file: objectSchema({ directory: stringSchema, auto_create: booleanSchema }),
      postgres: objectSchema({
        url: stringSchema,
        schema: stringSchema,
        max_connections: { ...integerSchema, minimum: 1 },
        snapshot_directory: stringSchema,
      }),
      amend_bundles: { ...booleanSchema, description: 'Whether clients may write within the roots of bundles.' },
      snapshot_every: { ...integerSchema, minimum: 1, description: 'Writes after which a snapshot is made.' },
      max_lag_seconds: { ...numberSchema, minimum: 0, description: 'The longest lag of a healthy server.' },
      max_wait_seconds: {
        ...numberSchema,
        minimum: 0,
        maximum: 3600,
        description: 'The longest wait of a request for a revision.',
      },
    }),
    description: 'The log of writes. All keys but disk are not of the reference.',
  },
  caching: anySchema,
  server: objectSchema({
    logger_plugin: stringSchema,
    encoding: objectSchema({
      gzip: objectSchema({
        min_length: { ...integerSchema, minimum: 0 },
        compression_level: { ...integerSchema, minimum: 0, maximum: 9 },
      }),
    }),
    decoding: objectSchema({
      max_length: { ...integerSchema, minimum: 1 },
      gzip: objectSchema({ max_length: { ...integerSchema, minimum: 1 } }),
    }),
    metrics: objectSchema({
      prom: objectSchema({ http_request_duration_seconds: objectSchema({ buckets: numberListSchema }) }),
    }),
    max_statement_tokens: {
      ...integerSchema,
      minimum: 1,
      description:
        'Most tokens of one statement of a policy that a client puts, and of a query for /v1/compile. Not a key of the reference.',
    },
    yaml_version: {
      enum: ['1.1', '1.2', 1.1, 1.2],
      description: 'The version of YAML that data, inputs and yaml.unmarshal are read as. Not a key of the reference.',
    },
    max_batch_inputs: {
      ...integerSchema,
      minimum: 1,
      description: 'Most inputs of one batch. Not a key of the reference.',
    },
    max_patch_operations: {
      ...integerSchema,
      minimum: 1,
      description: 'Most operations of one patch. Not a key of the reference.',
    },
    max_watches: {
      ...integerSchema,
      minimum: 0,
      description: 'Most watches at the same time. Not a key of the reference.',
    },
    decision_timeout_seconds: {
      ...numberSchema,
      minimum: 0,
      maximum: 2_000_000,
      description:
        'Longest time from the arrival of a request to its answer; 0 is no limit. Not a key of the reference.',
    },
  }),
});
