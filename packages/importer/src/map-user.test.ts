import { describe, expect, it } from 'vitest'
import { collectClaims } from './claims.ts'
import { mapUser } from './map-user.ts'
import type { Source, SourceRow } from './source.ts'

const NOW_MS = 1_750_000_000_000

async function mapAll(rows: readonly SourceRow[]) {
  const source: Source = {
    name: 'a test',
    tables: new Map(),
    count: async () => rows.length,
    largestId: async () => 0,
    countBy: async () => new Map(),
    columnFacts: () => new Map(),
    countFilled: async () => new Map(),
    pages: async function* () {
      yield rows
    },
    close: async () => undefined,
  }
  const claims = await collectClaims(source)
  return rows.map((row) => mapUser(row, { claims, nowMs: NOW_MS }))
}

async function mapOne(row: SourceRow) {
  const [user] = await mapAll([{ id: 1n, username: 'ann', ...row }])
  if (!user) throw new Error('one row makes one user')
  return user
}

describe('a user', () => {
  it('a user row of the oldest release gets the default of every missing column', async () => {
    const { row, own, affiliate, calls, notes } = await mapOne({ password: '', quota: 5n })
    expect(row).toMatchObject({
      role: 1,
      status: 1,
      group_name: 'default',
      created_ms: NOW_MS,
      deleted_ms: null,
    })
    expect(row.access_token_hash).toBeNull()
    expect({ own, affiliate, calls, notes }).toEqual({
      own: { remaining: 5n, used: 0n },
      affiliate: { remaining: 0n, used: 0n },
      calls: 0,
      notes: [],
    })
  })

  it('a webhook URL without TLS is kept, and the report names its host but not its secret', async () => {
    const setting = JSON.stringify({
      webhook_url: 'http://10.0.0.4:9000/hook?key=secret',
      webhook_secret: 'x',
    })
    const { row, notes } = await mapOne({ setting })
    expect(row.setting).toBe(setting)
    expect(notes).toEqual([
      { table: 'users', id: 1, code: 'user-webhook-plain', detail: 'the host is 10.0.0.4:9000' },
    ])
    expect((await mapOne({ setting: '{"webhook_url":"https://a.example"}' })).notes).toEqual([])
  })

  it('keeps the reward that is left and the total that was ever earned', async () => {
    expect((await mapOne({ aff_quota: 30n, aff_history: 100n })).affiliate).toEqual({
      remaining: 30n,
      used: 70n,
    })
    const odd = await mapOne({ aff_quota: 30n, aff_history: 10n })
    expect(odd.affiliate).toEqual({ remaining: 30n, used: 0n })
    expect(odd.notes.map(({ code }) => code)).toEqual(['figures-differ'])
  })

  it('a balance above what a console can show is cut to that maximum', async () => {
    const { own, notes } = await mapOne({ quota: 2n ** 63n - 1n, used_quota: 1n })
    expect(own).toEqual({ remaining: 2n ** 53n, used: 1n })
    expect(notes.map(({ code }) => code)).toEqual(['figures-too-large'])
  })

  it.each([
    ['$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 0],
    ['', 0],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 1],
  ])('the password hash %j leads to %d notes in the report', async (password, count) => {
    const { row, notes } = await mapOne({ password })
    expect(row.password_hash).toBe(password)
    expect(notes).toHaveLength(count)
  })

  it('a user whose name is taken gets a free name, the same one on every run', async () => {
    const rows: SourceRow[] = [
      { id: 1n, username: 'Bob', deleted_at: '2024-01-01 00:00:00' },
      { id: 2n, username: 'bob' },
      { id: 3n, username: 'BOB-1' },
      { id: 4n, username: '' },
    ]
    const names = async () => (await mapAll(rows)).map(({ row }) => row.username)
    expect(await names()).toEqual(['Bob-1-x', 'bob', 'BOB-1', 'user-4'])
    expect(await names()).toEqual(await names())
  })

  it('a live user keeps an identity that a later and a deleted user also have', async () => {
    const rows: SourceRow[] = [
      { id: 1n, username: 'a', github_id: 'octo', deleted_at: '2024-01-01 00:00:00' },
      { id: 2n, username: 'b', github_id: 'octo' },
      { id: 3n, username: 'c', github_id: 'octo' },
    ]
    expect((await mapAll(rows)).map(({ row }) => row.github_id)).toEqual(['', 'octo', ''])
  })

  it.each([
    '$argon2id$v=19$m=1048576,t=64,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B',
    '$argon2id$v=19$m=65537,t=1,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B',
    '$argon2i$v=19$m=1024,t=5,p=1$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B',
    '$2a$31$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  ])('a password hash that is too costly to check is not imported: %s', async (password) => {
    const { row, notes } = await mapOne({ password })
    expect(row.password_hash).toBe('$unusable$')
    expect(notes).toMatchObject([{ code: 'password-cost' }])
    expect(notes[0]?.detail).not.toContain('JyhBGvXgxkfSegCAHSxMhg')
  })

  it.each([
    '$argon2id$v=19$m=65536,t=4,p=4$JyhBGvXgxkfSegCAHSxMhg$THh/j6VVtOhDNz7B',
    '$2a$14$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  ])('a password hash of a usual cost is imported: %s', async (password) => {
    expect((await mapOne({ password })).row.password_hash).toBe(password)
  })
})
