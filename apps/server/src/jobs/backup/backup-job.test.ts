import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OptionKey, OptionValue } from '@tollgate/contract/options/index'
import { openEgress } from '@tollgate/egress/open-egress'
import { ManualClock } from '@tollgate/kit/clock'
import { FAKE_S3, type FakeS3, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BackupParts, backupJob } from './backup-job.ts'
import { OWNER_FILE } from './claim-target.ts'

/** The job with a copy that is made of thin air; `apps/server/test/backup.test.ts` copies a database. */

const DAY_MS = 86_400_000
const log = { info: () => undefined, error: () => undefined }
const egress = openEgress({ allowedAddresses: ['127.0.0.1'] })

let folder: string
let store: FakeS3
let clock: ManualClock
let settings: Record<string, string | number>
let alarms: string[]
let parts: BackupParts
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-job-'))
  store = await startFakeS3()
  clock = new ManualClock(Date.UTC(2026, 10, 24, 3, 30))
  alarms = []
  settings = {
    BackupTimes: '30 3 * * *',
    BackupKeep: 2,
    BackupFolder: folder,
    BackupS3Address: '',
    BackupS3Region: FAKE_S3.region,
    BackupS3Key: FAKE_S3.accessKey,
    BackupS3Secret: FAKE_S3.secret,
  }
  parts = {
    sqlitePath: join(folder, 'tollgate.db'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of the tests
    options: { get: <Key extends OptionKey>(key: Key) => settings[key] as OptionValue<Key> },
    clock,
    egress,
    log,
    installation: { id: 'one', predecessor: '', isConfirmed: true },
    makeCopy: async (to) => {
      writeFileSync(to, 'a copy')
      return { bytes: 6, accounts: 1, entries: 2, findings: 0 }
    },
    alarm: async ({ en, zh }) => void alarms.push(en, zh),
  }
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const copies = () =>
  readdirSync(folder)
    .filter((name) => name !== OWNER_FILE && !name.startsWith('.'))
    .toSorted()

it('keeps the newest copies in the folder and in the bucket, and touches nothing else', async () => {
  settings['BackupS3Address'] = `${store.url}/bucket/site one`
  writeFileSync(join(folder, 'notes.db'), 'mine')
  store.objects.set('/bucket/site one/tollgate-notes.db', Buffer.from('mine'))
  const removed: unknown[] = []
  for (let day = 0; day < 3; day++) {
    removed.push((await backupJob(parts).run())?.['removed'])
    clock.advance(DAY_MS)
  }
  expect(removed).toEqual([0, 0, 2])
  const kept = ['tollgate-20261125T033000Z.db', 'tollgate-20261126T033000Z.db']
  expect(copies()).toEqual(['notes.db', ...kept])
  expect([...store.objects.keys()].toSorted()).toEqual(
    [...kept, 'tollgate-notes.db', OWNER_FILE].map((name) => `/bucket/site one/${name}`).toSorted(),
  )
  expect(readFileSync(join(folder, kept[0] ?? ''), 'utf8')).toBe('a copy')
  expect(alarms).toEqual([])
})

it('drafts that a killed process left are removed', async () => {
  const left = 'tollgate-20261123T033000Z.db.new'
  for (const suffix of ['', '.part', '.part-journal']) writeFileSync(join(folder, left + suffix), 'half')
  await backupJob(parts).run()
  expect(copies()).toEqual(['tollgate-20261124T033000Z.db'])
})

it('a copy that does not balance replaces nothing and raises an alarm', async () => {
  await backupJob(parts).run()
  clock.advance(DAY_MS)
  const unsound = { ...parts, makeCopy: async () => ({ bytes: 6, accounts: 1, entries: 2, findings: 3 }) }
  await expect(backupJob(unsound).run()).rejects.toThrow('do not balance: 3 findings')
  expect(copies()).toEqual(['tollgate-20261124T033000Z.db'])
  expect(alarms).toHaveLength(2)
})

it.each([
  ['no destination', { BackupFolder: '' }, /^No folder and no S3 address is set/],
  ['a folder that is not there', { BackupFolder: '/nowhere/at/all' }, /cannot be used \(ENOENT\)/],
  ['a bucket that is not there', { BackupS3Address: '/other' }, /answered 404 \(NoSuchBucket\)/],
  ['no bucket', { BackupS3Address: '' }, /names no bucket/],
  [
    'another secret',
    { BackupS3Address: '/bucket', BackupS3Secret: 'x' },
    /answered 403 \(SignatureDoesNotMatch\)/,
  ],
])('%s is reported in one line before anything is copied', async (_what, change: object, line) => {
  Object.assign(settings, change)
  if ('BackupS3Address' in change)
    settings['BackupS3Address'] = `${store.url}${String(change.BackupS3Address)}`
  const never = { ...parts, makeCopy: () => Promise.reject(new Error('it must not copy')) }
  await expect(backupJob(never).run()).rejects.toThrow(line)
  expect(alarms[0]).toMatch(line)
})

it('a store that does not answer and one with a private address are reported in one line', async () => {
  settings['BackupS3Address'] = `${store.url}/bucket`
  await expect(backupJob({ ...parts, egress: openEgress({ allowedAddresses: [] }) }).run()).rejects.toThrow(
    'EGRESS_ALLOW',
  )
  await store.close()
  await expect(backupJob(parts).run()).rejects.toThrow('cannot be reached')
})

it('a database server is refused in one line', async () => {
  await expect(backupJob({ ...parts, sqlitePath: undefined }).run()).rejects.toThrow('with its own tools')
})

const ownerOf = (place: 'folder' | 'bucket'): unknown =>
  JSON.parse(
    place === 'folder'
      ? readFileSync(join(folder, OWNER_FILE), 'utf8')
      : String(store.objects.get(`/bucket/${OWNER_FILE}`)),
  )

const as = (id: string, more: Partial<BackupParts['installation']> = {}) =>
  backupJob({
    ...parts,
    sqlitePath: join(mkdtempSync(join(folder, `.${id}-`)), 'tollgate.db'),
    installation: { id, predecessor: '', isConfirmed: true, ...more },
  })

describe.each(['folder', 'bucket'] as const)('a %s that several installations name', (place) => {
  const kept = () =>
    place === 'folder' ? copies() : [...store.objects.keys()].filter((key) => key.endsWith('.db'))

  beforeEach(() => {
    settings['BackupKeep'] = 1
    if (place === 'bucket')
      Object.assign(settings, { BackupFolder: '', BackupS3Address: `${store.url}/bucket` })
  })

  it('keeps the copies of its first one; another one neither writes nor removes', async () => {
    await as('first').run()
    const before = kept()
    clock.advance(DAY_MS)
    await expect(as('second').run()).rejects.toThrow('belongs to another installation (first)')
    expect(kept()).toEqual(before)
    expect(ownerOf(place)).toEqual({ owner: 'first' })
  })

  it('is taken over by a confirmed copy, and the original finds that', async () => {
    await as('first').run()
    clock.advance(DAY_MS)
    await as('second', { predecessor: 'first' }).run()
    expect(ownerOf(place)).toEqual({ owner: 'second' })
    clock.advance(DAY_MS)
    await expect(as('first').run()).rejects.toThrow('belongs to another installation (second)')
    expect(kept()).toHaveLength(1)
  })

  it('has one owner when two claim it at once', async () => {
    const outcomes = await Promise.allSettled(['one', 'two', 'three'].map((id) => as(id).run()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is not touched by a copy that nobody has confirmed', async () => {
    await expect(as('first', { isConfirmed: false }).run()).rejects.toThrow('nobody has confirmed')
    expect(kept()).toEqual([])
  })

  it('with an owner file that says nothing is left alone', async () => {
    if (place === 'folder') writeFileSync(join(folder, OWNER_FILE), 'half')
    else store.objects.set(`/bucket/${OWNER_FILE}`, Buffer.from('half'))
    await expect(as('first').run()).rejects.toThrow('belongs to another installation')
    expect(kept()).toEqual([])
  })
})
