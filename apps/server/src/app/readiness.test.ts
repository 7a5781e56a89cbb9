import { expect, test } from 'vitest'
import { type ReadinessParts, UNREADY_REASONS, createReadiness } from './readiness.ts'

const HEALTHY = { isStoreWritable: true, isAdmitting: true, isDiskFull: false }
const RUNNING = { isReady: true, isStopping: false }
const OVER = { isReady: false, isStopping: true }

interface ProcessState {
  readonly state?: ReadinessParts['state']
  readonly health?: ReturnType<ReadinessParts['ledger']['health']>
  readonly ping?: () => Promise<boolean>
  readonly isOnServer?: boolean
}

const answers = async (): Promise<boolean> => true
const fails = async (): Promise<boolean> => false
const hangs = (): Promise<boolean> => new Promise(() => undefined)

function read({ state = RUNNING, health = HEALTHY, ping = answers, isOnServer = true }: ProcessState) {
  return createReadiness({ state, ledger: { health: () => health }, store: { ping }, isOnServer })()
}

test.each([
  ['a process that can do everything', {}, 'ready', undefined],
  [
    'a process before its first ready',
    { state: { isReady: false, isStopping: false } },
    'not ready',
    'starting',
  ],
  ['a process that stops', { state: OVER }, 'not ready', 'stopping'],
  ['a process that stops without its database', { state: OVER, ping: fails }, 'not ready', 'stopping'],
  ['a server that refuses connections', { ping: fails }, 'degraded', 'database'],
  ['a server that does not answer', { ping: hangs }, 'degraded', 'database'],
  [
    'a server that cannot be written',
    { health: { ...HEALTHY, isStoreWritable: false } },
    'degraded',
    'database',
  ],
  [
    'a lease that is over',
    { health: { ...HEALTHY, isStoreWritable: false, isAdmitting: false }, ping: fails },
    'not ready',
    'database',
  ],
  ['an embedded database that fails', { ping: fails, isOnServer: false }, 'not ready', 'database'],
  [
    'a journal that cannot be written',
    { health: { ...HEALTHY, isAdmitting: false } },
    'not ready',
    'journal',
  ],
  [
    'a full disk',
    { health: { isStoreWritable: false, isAdmitting: false, isDiskFull: true } },
    'not ready',
    'disk',
  ],
] as const)(
  'readiness names the state and its reason for %s',
  async (_what, circumstances, status, reason) => {
    expect(await read(circumstances)).toEqual(reason === undefined ? { status } : { status, reason })
    if (reason !== undefined) expect(UNREADY_REASONS).toContain(reason)
  },
)
