import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { manifests } from '../../../../deploy/kubernetes/manifests.ts'
import { ROOT, builtWrapper, runHere } from './here.ts'
import { findHelms } from './helm.ts'

/** The packed chart, rendered by helm: it promises what the plain manifests promise, and refuses values that cannot work. */

const SECRET = '0123456789abcdef0123456789abcdef'
const server = { kind: 'server', dsn: 'postgres://tollgate:password@postgres:5432/tollgate' }
const cluster = {
  replicas: 2,
  database: server,
  redis: { enabled: true, url: 'redis://redis:6379' },
  secret: { sessionSecret: SECRET, cryptoSecret: SECRET, metricsToken: SECRET },
}

interface Rendered {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever helm rendered
  readonly spec?: any
}

/** Labels and annotations that only a chart has. */
const OF_CHARTS = new Set([
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/component',
  'helm.sh/chart',
  'checksum/settings',
])

/** Without the names by which charts tell their releases apart. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([name]) => !OF_CHARTS.has(name))
    .map(([name, member]) => [name, plain(member)])
    .filter(([name, member]) => name !== 'annotations' || Object.keys(Object(member)).length > 0)
  return Object.fromEntries(members)
}

function only(documents: readonly Rendered[], kind: string): Rendered {
  const [one] = documents.filter((document) => document.kind === kind)
  if (one === undefined) throw new Error(`no ${kind} was rendered`)
  return one
}

const helms = findHelms()
const { version: ours } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** As a release packs it; a file that runs alone takes the folder. */
const chart = builtWrapper(`chart-${ours}.tgz`) ?? join(ROOT, 'deploy/chart')

describe.skipIf(helms.length === 0).each(helms)('the chart with $name', ({ program, version }) => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-chart-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function run(command: readonly string[], values: object) {
    const file = join(folder, 'values.yaml')
    writeFileSync(file, stringify(values))
    return spawnSync(program, [...command, '--values', file], { encoding: 'utf8' })
  }

  function render(values: object, release = 'tollgate'): readonly Rendered[] {
    const { status, stdout, stderr } = run(['template', release, chart], values)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    return parseAllDocuments(stdout).map((document) => document.toJS())
  }

  const complaint = (values: object): string => run(['template', 'tollgate', chart], values).stderr

  test('helm reads the packed chart and finds no fault', () => {
    expect(runHere(program, ['version'])).toContain(version)
    expect(runHere(program, ['show', 'chart', chart])).toContain(`version: ${ours}`)
    for (const values of [{}, cluster]) {
      const { status, stdout } = run(['lint', '--strict', chart], values)
      expect(stdout).toContain('0 chart(s) failed')
      expect(status).toBe(0)
    }
  })

  test('with a database server and two gateways it is what the manifests are', () => {
    const documents = render(cluster)
    expect(documents.map(({ kind }) => kind).sort()).toEqual(
      ['ConfigMap', 'PodDisruptionBudget', 'Secret', 'Service', 'Service', 'StatefulSet'].sort(),
    )
    expect(plain(only(documents, 'StatefulSet'))).toEqual(manifests.statefulSet)
    expect(plain(only(documents, 'PodDisruptionBudget'))).toEqual(manifests.budget)
    expect(documents.filter(({ kind }) => kind === 'Service').map(plain)).toEqual(manifests.services)
    // Its address of Redis is in the Secret, because it may have a password.
    const { REDIS_CONN_STRING: redis, ...settings } = manifests.configMap.data ?? {}
    expect(only(documents, 'ConfigMap').data).toEqual(settings)
    expect(only(documents, 'Secret').stringData).toEqual({
      SQL_DSN: server.dsn,
      REDIS_CONN_STRING: redis,
      SESSION_SECRET: SECRET,
      CRYPTO_SECRET: SECRET,
      METRICS_TOKEN: SECRET,
    })
  })

  test('by default it is one gateway with its embedded database on a larger volume', () => {
    const documents = render({})
    expect(documents.map(({ kind }) => kind)).not.toContain('Secret')
    const { spec } = only(documents, 'StatefulSet')
    expect(spec.replicas).toBe(1)
    expect(spec.volumeClaimTemplates[0].spec.resources.requests.storage).toBe('10Gi')
    const [container] = manifests.statefulSet.spec?.template.spec?.containers ?? []
    expect(spec.template.spec.containers[0]).toEqual({
      ...container,
      envFrom: [{ configMapRef: { name: 'tollgate' } }],
    })
  })

  test('the grace of a pod grows with the time for open streams, and settings reach the gateway as text', () => {
    const documents = render({
      stop: { drainSeconds: 600, noticeSeconds: 20 },
      settings: {
        WORKERS: 2,
        LOG_LEVEL: 'debug',
        FORCE_STREAM_OPTION: false,
        GLOBAL_API_RATE_LIMIT: 1_000_000,
      },
    })
    expect(only(documents, 'StatefulSet').spec.template.spec.terminationGracePeriodSeconds).toBe(1280)
    expect(only(documents, 'ConfigMap').data).toEqual({
      TRUSTED_PROXIES: '10.0.0.0/8',
      LOG_FORMAT: 'json',
      DRAIN_SECONDS: '600',
      DRAIN_NOTICE_SECONDS: '20',
      WORKERS: '2',
      LOG_LEVEL: 'debug',
      FORCE_STREAM_OPTION: 'false',
      GLOBAL_API_RATE_LIMIT: '1000000',
    })
  })

  test('a changed secret restarts the pods, and an existing Secret is used instead of a new one', () => {
    const annotation = (values: object): unknown =>
      only(render(values), 'StatefulSet').spec.template.metadata.annotations['checksum/settings']
    expect(annotation(cluster)).toBe(annotation(cluster))
    expect(annotation(cluster)).not.toBe(
      annotation({ ...cluster, secret: { ...cluster.secret, metricsToken: `${SECRET}1` } }),
    )
    const existing = { database: { kind: 'server' }, redis: { enabled: true }, secret: { existing: 'mine' } }
    const documents = render({ ...existing, replicas: 3 })
    expect(documents.map(({ kind }) => kind)).not.toContain('Secret')
    const [container] = only(documents, 'StatefulSet').spec.template.spec.containers
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'mine' } })
  })

  test('ingress and monitoring belong to the release that asks for them', () => {
    const documents = render(
      {
        ...cluster,
        ingress: { enabled: true, hosts: ['ai.example.com'], className: 'nginx' },
        serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
        prometheusRule: { enabled: true },
      },
      'other',
    )
    const [rule] = only(documents, 'Ingress').spec.rules
    expect(rule.host).toBe('ai.example.com')
    expect(rule.http.paths[0].backend).toEqual({
      service: { name: 'other-tollgate', port: { name: 'http' } },
    })
    const { spec } = only(documents, 'ServiceMonitor')
    const scraped = documents.filter(
      ({ kind, metadata: { labels } }) =>
        kind === 'Service' &&
        Object.entries(spec.selector.matchLabels).every(([name, value]) => labels[name] === value),
    )
    expect(scraped.map(({ metadata }) => metadata.name)).toEqual(['other-tollgate-nodes'])
    expect(spec.endpoints[0].authorization.credentials).toEqual({
      name: 'other-tollgate',
      key: 'METRICS_TOKEN',
    })
    expect(scraped[0]?.metadata.labels[spec.jobLabel]).toBe('tollgate')
    const alerts = parse(runHere('cat', [join(ROOT, 'deploy/alerts.yml')]))
    expect(only(documents, 'PrometheusRule').spec).toEqual(alerts)
  })

  test.each([
    [{ replicas: 2 }, 'replicas is 2, and the embedded database allows 1'],
    [{ ...cluster, redis: {} }, 'replicas is 2, and several gateways need Redis'],
    [{ database: { kind: 'server' } }, 'database.kind is server, and database.dsn is empty'],
    [{ database: { dsn: server.dsn } }, 'database.dsn is set, and database.kind is embedded'],
    [{ redis: { enabled: true } }, 'redis.enabled is true, and redis.url is empty'],
    [{ redis: { url: 'redis://redis' } }, 'redis.url is set, and redis.enabled is false'],
    [{ database: server }, 'a database server needs secret.sessionSecret and secret.cryptoSecret'],
    [
      { ...cluster, secret: { existing: 'mine' } },
      'is set, and secret.existing names a Secret that should have it',
    ],
    [{ serviceMonitor: { enabled: true } }, 'serviceMonitor.enabled needs secret.metricsToken'],
    [{ ingress: { enabled: true } }, 'ingress.enabled needs at least one name in ingress.hosts'],
    [{ settings: { SQL_DSN: server.dsn } }, 'settings.SQL_DSN: set database.dsn instead'],
    [{ settings: { PORT: 80 } }, 'settings.PORT: the chart needs its own value'],
  ])('%j is refused with the reason', (values, reason) => {
    expect(complaint(values)).toContain(reason)
  })

  /** The two versions word the same complaint differently. */
  test.each([
    [{ replicas: 'two' }, /replicas\W.*(Invalid type. Expected: integer|got string, want integer)/],
    [{ database: { kind: 'mongo' } }, /database[./]kind\W.*must be one of .*embedded/],
    [{ image: { name: 'x' } }, /image\W.*dditional propert.* '?name/],
    [{ secret: { cryptoSecret: 'short' } }, /secret[./]cryptoSecret\W.*does not match pattern/i],
    [{ settings: { log_level: 'debug' } }, /log_level/],
    [{ unknown: true }, /dditional propert.* '?unknown/],
  ])('the schema refuses %j and names the place', (values, reason) => {
    expect(complaint(values)).toContain("values don't meet the specifications of the schema")
    expect(complaint(values)).toMatch(reason)
  })

  // helm 3 asks a cluster before it shows them.
  test.skipIf(version.startsWith('v3'))('the notes say where the setup token is', () => {
    const notes = run(['install', 'tollgate', chart, '--dry-run=client'], {}).stdout
    expect(notes).toContain('logs tollgate-0')
    expect(notes).toContain('/data/secrets.json')
  })
})
