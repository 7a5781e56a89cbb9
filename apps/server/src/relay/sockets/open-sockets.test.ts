import { invariant } from '@tollgate/kit/invariant'
import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OwnerEntry, SnapshotChange, Snapshots, TokenEntry } from '../../snapshots/snapshots.ts'
import { Watch } from '../watch.ts'
import { OpenSockets } from './open-sockets.ts'

/** Idle sockets cost reads of the version, not of what it stands for: how often each is read is counted here. */

const SOCKETS = 10_000

interface ReadCounts {
  version: number
  clock: number
  keyring: number
  settings: number
}

const clock = new ManualClock()
const counts: ReadCounts = { version: 0, clock: 0, keyring: 0, settings: 0 }
const tokens = new Map<string, TokenEntry>()
const revoked = new Set<string>()
const listeners = new Set<(change: SnapshotChange) => void>()
let version = 1
let roster = newRoster()
let watch: Watch
let sockets: OpenSockets

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is set here is read
const settings = { sockets: { perUser: SOCKETS, withoutBalance: 4 } } as ReturnType<Snapshots['settings']>
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is set here is read
const prices = {} as ReturnType<Snapshots['prices']>

const snapshots = {
  get version() {
    counts.version++
    return version
  },
  keyring: {
    hasWholeKeys: false,
    byKeyHash: (hash: string) => {
      counts.keyring++
      return tokens.get(hash)
    },
    byWholeKeyHash: () => undefined,
    owner: () => undefined,
  },
  roster: () => {
    counts.settings++
    return roster
  },
  prices: () => prices,
  settings: () => settings,
  onChange: (listener: (change: SnapshotChange) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  withdrawChannel: () => undefined,
} satisfies Snapshots
const owner: OwnerEntry = {
  id: 1,
  username: 'owner',
  role: 1,
  status: 1,
  isDeleted: false,
  group: 'default',
  acceptsUnpricedModels: false,
  hasPaid: true,
}

function buildToken(id: number, parts: Partial<TokenEntry> = {}): TokenEntry {
  return {
    id,
    name: `token ${id}`,
    status: 1,
    expiredTime: -1,
    isUnlimited: true,
    models: undefined,
    addresses: undefined,
    group: '',
    groupOrder: [],
    triesNextGroup: false,
    limits: undefined,
    owner,
    preview: '',
    ...parts,
  }
}

/** Everything that was put off to a later turn of the event loop has run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2 + SOCKETS / 1_000; turn++) await new Promise((done) => setImmediate(done))
}

function tell(): void {
  version++
  for (const listener of listeners) listener({})
}

function reset(): void {
  Object.assign(counts, { version: 0, clock: 0, keyring: 0, settings: 0 })
}

beforeEach(async () => {
  // Only the ticks of the tests count.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  watch = new Watch(clock, (error) => expect.fail(String(error)))
  const ownClock = {
    nowMs: () => {
      counts.clock++
      return clock.nowMs()
    },
  }
  sockets = new OpenSockets({
    snapshots,
    clock: ownClock,
    watch,
    ledger: { balance: () => expect.fail('no balance is read') },
    onTokenExpired: () => undefined,
  })
  for (let id = 0; id < SOCKETS; id++) {
    const keyHash = `hash ${id}`
    // Each tenth token ends at some time.
    const token = buildToken(id, id % 10 === 0 ? { expiredTime: clock.nowMs() / 1000 + 3_600 } : {})
    tokens.set(keyHash, token)
    const caller = { owner, token, keyHash, pinned: undefined, address: '127.0.0.1' }
    sockets.watch({ permit: { caller }, revoke: ({ code }) => void revoked.add(`${keyHash} ${code}`) })
  }
  await settle()
  sockets.tick()
  await settle()
  reset()
})
afterEach(() => {
  watch.close()
  vi.useRealTimers()
  tokens.clear()
  revoked.clear()
  listeners.clear()
  roster = newRoster()
})

test('10,000 idle sockets cost one comparison of the version and one of the time in each tick', async () => {
  expect(sockets.size).toBe(SOCKETS)
  for (let tick = 0; tick < 100; tick++) watch.tick()
  await settle()
  expect(counts).toEqual({ version: 100, clock: 100, keyring: 0, settings: 0 })
  expect(revoked.size).toBe(0)
})

test('a token that changes costs one look-up for each socket, and ends only its own', async () => {
  tokens.delete('hash 77')
  tell()
  await settle()
  expect([...revoked]).toEqual(['hash 77 token_invalid'])
  // One look-up for each, and two for the one that is checked.
  expect(counts.keyring).toBe(SOCKETS + 1)
  expect(counts.version).toBe(1)
  reset()
  watch.tick()
  await settle()
  expect(counts).toEqual({ version: 1, clock: 1, keyring: 0, settings: 0 })
})

test('a token that is replaced is checked, and the others are not', async () => {
  const token = tokens.get('hash 5')
  invariant(token, 'the token exists')
  tokens.set('hash 5', { ...token, status: 2 })
  tell()
  await settle()
  expect([...revoked]).toEqual(['hash 5 token_disabled'])
  expect(counts.keyring).toBe(SOCKETS + 1)
})

test('a change of channels checks each socket once', async () => {
  roster = newRoster()
  tell()
  await settle()
  expect(revoked.size).toBe(0)
  expect(counts.keyring).toBe(2 * SOCKETS)
})

test('sockets whose tokens expire end in the tick after that, and no others are looked up before', async () => {
  clock.advance(3_599_000)
  watch.tick()
  await settle()
  expect(counts.keyring).toBe(0)
  clock.advance(1_000)
  watch.tick()
  await settle()
  expect(revoked.size).toBe(SOCKETS / 10)
  expect([...revoked].every((each) => each.endsWith('token_expired'))).toBe(true)
})

function newRoster(): ReturnType<Snapshots['roster']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its identity is compared
  return {} as ReturnType<Snapshots['roster']>
}
