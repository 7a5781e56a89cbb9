import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AimFigures } from '../aims/aims.ts'
import { newKeyMix } from '../key-mix.ts'
import { nodeLoad } from '../node-load.ts'
import type { BenchOptions } from '../options.ts'
import { say } from '../say.ts'
import { runGateway, type RunningGateway } from '../targets/gateway.ts'
import type { StoreName } from '../targets/gateway-database.ts'
import type { Upstreams } from '../upstreams.ts'
import { requestBody } from '../workload.ts'
import { readHoldTimes, roundedQuantile } from './hold-times.ts'

const CONNECTIONS = 64
const WARM_SECONDS = 4
const USERS_MIN = 50
/** The aims are about this many calls a second. */
const AIM_RATE = 500

export interface RunInput {
  readonly upstreams: Upstreams
  readonly directory: string
}

type HoldOptions = Pick<BenchOptions, 'store' | 'workers' | 'isBundle' | 'users' | 'holdRate' | 'seconds'>

/**
 * Sends calls at an even pace and tells what the hold adds to each: the time that the gateway's own station
 * takes from the admitted call to the placed hold, as its log rows state it.
 */
export async function holdRun(options: HoldOptions, { upstreams, directory }: RunInput): Promise<AimFigures> {
  const { store, workers, isBundle, users, holdRate: perSecond, seconds } = options
  const own = join(directory, 'holds')
  mkdirSync(own)
  const keyMix = newKeyMix(Math.max(USERS_MIN, users))
  const input = { upstreams, directory: own, userKeys: keyMix.keys }
  const gateway = await runGateway({ store, nodes: 1, workers, isBundle }, input)
  try {
    const [address = { url: '', headers: {} }] = gateway.addresses('whole')
    const load = {
      address,
      body: requestBody('whole'),
      connections: CONNECTIONS,
      directory: own,
      keyMix,
      perSecond,
    }
    await nodeLoad({ ...load, seconds: WARM_SECONDS })
    // Log rows tell their time in seconds, so the warm-up must be over for one.
    await sleep(2_000)
    const sinceSeconds = Math.floor(Date.now() / 1000)
    const result = await nodeLoad({ ...load, seconds })
    await gateway.end()
    const times = await loggedTimes(gateway, sinceSeconds)
    const medianMs = roundedQuantile(times, 0.5)
    const p99Ms = roundedQuantile(times, 0.99)
    say(
      `${perSecond} calls/s evenly over ${store}: ${result.requests} answered, ${result.failures} failed, ${times.length} log rows`,
    )
    say(`whole call: median ${result.medianMs.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms`)
    say(`of that the hold: median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`)
    return perSecond < AIM_RATE ? {} : figuresOf(store, medianMs, p99Ms)
  } finally {
    await gateway.stop()
  }
}

async function loggedTimes({ database }: RunningGateway, sinceSeconds: number): Promise<readonly number[]> {
  const store = await database.open()
  try {
    return await readHoldTimes(store, sinceSeconds)
  } finally {
    await store.close()
  }
}

function figuresOf(store: StoreName, medianMs: number, p99Ms: number): AimFigures {
  if (store === 'postgres') return { 'hold-median-postgres': medianMs, 'hold-p99-postgres': p99Ms }
  if (store === 'mariadb') return { 'hold-median-mariadb': medianMs, 'hold-p99-mariadb': p99Ms }
  return {}
}
