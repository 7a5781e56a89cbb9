import type { StatefulSet } from 'kubernetes-types/apps/v1.d.ts'
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.d.ts'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts'

/**
 * The manifests of `deploy/kubernetes/tollgate.yaml`: gateways over one database server. Change them here; a test says
 * how to write the file again.
 */

const LABELS = { 'app.kubernetes.io/name': 'tollgate' }
const metadata = { name: 'tollgate', labels: LABELS }
/** Open streams may end in this time. */
export const DRAIN_SECONDS = 30
/** Calls are still accepted in this time, in which the service stops sending them. */
export const NOTICE_SECONDS = 10
/** For settling and closing after the streams have ended. */
const CLOSE_SECONDS = 60

const configMap: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data: {
    REDIS_CONN_STRING: 'redis://redis:6379',
    TRUSTED_PROXIES: '10.0.0.0/8',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    DRAIN_NOTICE_SECONDS: String(NOTICE_SECONDS),
    LOG_FORMAT: 'json',
  },
}

const services: readonly Service[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name: 'tollgate-nodes' },
    spec: { selector: LABELS, clusterIP: 'None', ports: [{ name: 'http', port: 3000, targetPort: 'http' }] },
  },
]

const probe = (path: string) => ({ httpGet: { path, port: 'http' } })

/** A volume for each gateway: it keeps charges in its journal that the database has not confirmed yet. */
const statefulSet: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata,
  spec: {
    replicas: 2,
    serviceName: 'tollgate-nodes',
    selector: { matchLabels: LABELS },
    podManagementPolicy: 'Parallel',
    updateStrategy: { type: 'RollingUpdate' },
    template: {
      metadata: { labels: LABELS },
      spec: {
        terminationGracePeriodSeconds: NOTICE_SECONDS + 2 * DRAIN_SECONDS + CLOSE_SECONDS,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: LABELS },
          },
        ],
        containers: [
          {
            name: 'tollgate',
            image: 'tollgate:0.1.0',
            ports: [{ name: 'http', containerPort: 3000 }],
            envFrom: [{ configMapRef: { name: 'tollgate' } }, { secretRef: { name: 'tollgate' } }],
            startupProbe: { ...probe('/livez'), periodSeconds: 2, failureThreshold: 60 },
            readinessProbe: { ...probe('/readyz'), periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 2 },
            livenessProbe: { ...probe('/livez'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
            resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '1Gi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: [
              { name: 'data', mountPath: '/data' },
              { name: 'tmp', mountPath: '/tmp' },
            ],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
}

const budget: PodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { maxUnavailable: 1, selector: { matchLabels: LABELS } },
}

export const manifests = { configMap, services, statefulSet, budget }

const HEAD = `# Two gateways over one database server. Made from manifests.ts; docs/guides/deploy-kubernetes.md describes the
# secret that they need, and what to change.
`

export async function renderManifests(): Promise<string> {
  const { stringify } = await import('yaml')
  const all = [configMap, ...services, statefulSet, budget]
  return (
    HEAD +
    all.map((one) => `---\n${stringify(one, { aliasDuplicateObjects: false, singleQuote: true })}`).join('')
  )
}
