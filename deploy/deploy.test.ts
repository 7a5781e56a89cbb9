import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../apps/server/src/config/settings.ts'
import { DRAIN_SECONDS, NOTICE_SECONDS, manifests, renderManifests } from './kubernetes/manifests.ts'

/** The files of `deploy/` name settings, paths and times of the gateway; `npm run test:deploy` runs them. */

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

const variables = new Set<string>(Object.values(settings).map(({ name }) => name))

describe('the manifests for Kubernetes', () => {
  it('the file is what manifests.ts renders', async () => {
    expect(textOf('kubernetes/tollgate.yaml')).toBe(await renderManifests())
  })

  it('every document can be read, and only known settings are set', () => {
    const documents = parseAllDocuments(textOf('kubernetes/tollgate.yaml'))
    expect(documents).toHaveLength(5)
    for (const name of Object.keys(manifests.configMap.data ?? {})) expect(variables).toContain(name)
  })

  it('a pod has more time than its gateway needs to stop', () => {
    const { spec } = manifests.statefulSet.spec?.template ?? {}
    expect(spec?.terminationGracePeriodSeconds).toBeGreaterThan(NOTICE_SECONDS + 2 * DRAIN_SECONDS + 30)
    const [container] = spec?.containers ?? []
    const probe = container?.readinessProbe
    expect(NOTICE_SECONDS).toBeGreaterThan((probe?.periodSeconds ?? 0) * (probe?.failureThreshold ?? 0))
  })
})

/** `health_interval` of the Caddyfile. */
const CHECK_SECONDS = Number(/health_interval (\d+)s/.exec(textOf('Caddyfile'))?.[1])

describe('the compose files', () => {
  it.each(['compose.yml', 'compose.cluster.yml'])('%s sets only known settings, and keeps /data', (name) => {
    const { services } = parse(textOf(name), { merge: true })
    const gateways = Object.values<Gateway>(services).filter(({ image }) => image === 'tollgate')
    expect(gateways.length).toBeGreaterThan(0)
    for (const { environment, volumes, read_only: isReadOnly, stop_grace_period: grace } of gateways) {
      for (const variable of Object.keys(environment)) expect(variables).toContain(variable)
      expect(volumes.some((volume) => volume.endsWith(':/data'))).toBe(true)
      expect(isReadOnly).toBe(true)
      const notice = Number(environment['DRAIN_NOTICE_SECONDS'] ?? 0)
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(notice + 2 * Number(environment['DRAIN_SECONDS']))
      // Several gateways have something in front, which checks every two seconds.
      if ('SQL_DSN' in environment) expect(notice).toBeGreaterThan(2 * CHECK_SECONDS)
    }
  })
})

interface Gateway {
  readonly image: string
  readonly environment: Readonly<Record<string, unknown>>
  readonly volumes: readonly string[]
  readonly read_only: boolean
  readonly stop_grace_period: string
}

describe('the unit for systemd', () => {
  it('waits longer than the gateway needs to stop', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(textOf('systemd/tollgate.service')) ?? []
    expect(Number(seconds)).toBeGreaterThan(2 * Number(settings.drainMs.default) + 30)
  })

  it('the file of settings names only settings', () => {
    const names = textOf('systemd/tollgate.env').matchAll(/^#([A-Z_]+)=/gm)
    for (const [, name] of names) expect(variables).toContain(name)
  })
})
