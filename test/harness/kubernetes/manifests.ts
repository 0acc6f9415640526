/** Manifests of Kubernetes in the documentation: the parts that tests read. */
import { join } from 'node:path';
import { loadAll } from 'js-yaml';

export const deployFolder = join(import.meta.dirname, '../../../docs/deploy');

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: { readonly [key: string]: string };
    readonly labels?: { readonly [key: string]: string };
  };
  readonly data?: Labels;
  readonly stringData?: Labels;
  readonly spec?: {
    readonly template?: { readonly metadata: { readonly labels: Labels; readonly annotations?: Labels }; readonly spec: Pod };
    readonly selector?: { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels?: Labels };
    readonly strategy?: { readonly rollingUpdate?: { readonly maxUnavailable?: number } };
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
    readonly dnsNames?: readonly string[];
    readonly secretName?: string;
    readonly ports?: readonly object[];
    readonly endpoints?: readonly { readonly port: string }[];
  };
  readonly webhooks?: readonly Webhook[];
}

type Labels = { readonly [name: string]: string };

interface Webhook {
  readonly failurePolicy: string;
  readonly namespaceSelector: { readonly matchExpressions: readonly { readonly key: string; readonly values: readonly string[] }[] };
  readonly rules: readonly { readonly operations: readonly string[]; readonly resources: readonly string[] }[];
  readonly clientConfig: {
    readonly service: { readonly name: string; readonly namespace: string; readonly path: string; readonly port?: number };
  };
}

interface Pod {
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly labelSelector: { readonly matchLabels: Labels };
  }[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

export interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly resources?: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export const manifestsIn = (text: string): Manifest[] => (loadAll(text) as (Manifest | null)[]).filter((manifest) => manifest !== null);
