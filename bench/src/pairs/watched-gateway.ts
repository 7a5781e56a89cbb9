import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Started, freePort, start } from '../processes.ts'
import { type RunningGateway, runGateway } from '../targets/gateway.ts'
import type { Upstreams } from '../upstreams.ts'

const COLLECTOR = join(import.meta.dirname, 'discarding-collector.ts')

export interface GatewayPair {
  /** What the other one is compared with: no metrics and traces, or another commit. */
  readonly base: RunningGateway
  readonly changed: RunningGateway
  /** Scrapes the metrics of the changed gateway once, if it has any. Throws unless they have the calls. */
  scrape(): Promise<void>
  stop(): Promise<void>
}

export interface PairInput {
  readonly upstreams: Upstreams
  readonly directory: string
  readonly isBundle: boolean
  /** For the watched gateway, in addition to its collector. */
  readonly env: Readonly<Record<string, string>>
}

export async function startGatewayPair({
  upstreams,
  directory,
  isBundle,
  env,
}: PairInput): Promise<GatewayPair> {
  const port = await freePort()
  const collector = await start({
    place: 'load',
    command: [process.execPath, COLLECTOR, String(port)],
    port,
  })
  const token = randomBytes(16).toString('hex')
  const begin = (name: string, more: Readonly<Record<string, string>>): Promise<RunningGateway> => {
    const own = join(directory, name)
    mkdirSync(own)
    const setup = { store: 'sqlite', nodes: 1, workers: 1, isBundle } as const
    return runGateway(setup, { upstreams, directory: own }, more)
  }
  const started: (Started | RunningGateway)[] = [collector]
  const stop = async () => void (await Promise.all(started.map((each) => each.stop())))
  try {
    const base = await begin('plain', {})
    started.push(base)
    const changed = await begin('watched', {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      METRICS_TOKEN: token,
      ...env,
    })
    started.push(changed)
    return { base, changed, stop, scrape: () => scrape(changed, token) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function scrape(gateway: RunningGateway, token: string): Promise<void> {
  const [address] = gateway.addresses('whole')
  const url = new URL('/metrics', address?.url)
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (!text.includes('tollgate_requests_total{')) throw new Error(`a scrape had no calls: ${response.status}`)
}
