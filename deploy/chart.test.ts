import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { DRAIN_SECONDS, NOTICE_SECONDS, manifests } from './kubernetes/manifests.ts'

/**
 * What can be checked of the Helm chart without helm: versions, defaults and the schema. The templates are not rendered
 * here; `npm run test:deploy` renders them with helm.
 */

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

const chart = parse(textOf('chart/Chart.yaml'))
const values = parse(textOf('chart/values.yaml'))
const document = JSON.parse(textOf('chart/values.schema.json'))
const schema = z.fromJSONSchema(document)

const accepts = (changes: object): boolean => schema.safeParse({ ...values, ...changes }).success

describe('the Helm chart', () => {
  it('has the version of the release', () => {
    const { version } = JSON.parse(textOf('../package.json'))
    expect(chart).toMatchObject({ version, appVersion: version })
  })

  it('has the alert rules of deploy/alerts.yml; copy them after a change', () => {
    expect(textOf('chart/files/alerts.yml')).toBe(textOf('alerts.yml'))
  })

  it('has the defaults of the manifests', () => {
    const { spec } = manifests.statefulSet.spec?.template ?? {}
    const [container] = spec?.containers ?? []
    expect(values.resources).toEqual(container?.resources)
    expect(`${values.image.repository}:${chart.appVersion}`).toBe(container?.image)
    expect(values.stop).toEqual({ drainSeconds: DRAIN_SECONDS, noticeSeconds: NOTICE_SECONDS })
    expect(values.podDisruptionBudget).toEqual({ maxUnavailable: manifests.budget.spec?.maxUnavailable })
    expect(values.trustedProxies).toBe(manifests.configMap.data?.['TRUSTED_PROXIES'])
  })

  it('its schema knows every value, and accepts the defaults', () => {
    expect(Object.keys(document.properties).sort()).toEqual([...Object.keys(values), 'global'].sort())
    expect(schema.safeParse(values).error).toBeUndefined()
  })

  it.each([
    { replicas: -1 },
    { replicas: '2' },
    { database: { kind: 'mongo' } },
    { database: { dsn: 'localhost:5432' } },
    { redis: { url: 'localhost:6379' } },
    { secret: { cryptoSecret: 'short' } },
    { stop: { noticeSeconds: 4 } },
    { settings: { log_level: 'debug' } },
    { persistence: { size: 'large' } },
    { service: { type: 'ExternalName' } },
    { replica: 2 },
  ])('its schema refuses %j', (wrong) => {
    expect(accepts(wrong)).toBe(false)
  })
})
