import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OptionKey } from '@tollgate/contract/options/index'
import { routes } from '@tollgate/contract/routes'
import { FAKE_S3, type FakeS3, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runRestore } from '../src/commands/restore/run-restore.ts'
import { runAudit } from '../src/commands/audit/run-audit.ts'
import { silentProgress } from '../src/commands/progress.ts'
import { type TestServer, startTestServer } from './harness.ts'
import { addChannel, relayCall } from './nodes/operator.ts'

/** Scheduled backups as an operator sets them up, with a restore of what they made. */

let folder: string
let copies: string
let upstream: FakeUpstream
let bucket: FakeS3
let site: TestServer
let key: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backups-'))
  copies = join(folder, 'copies')
  mkdirSync(copies)
  upstream = await startFakeUpstream()
  bucket = await startFakeS3()
  site = await startTestServer({ environment: { SQLITE_PATH: join(folder, 'tollgate.db') } })
  await addChannel(site.root, upstream.url)
  ;({ key } = await site.root.call(routes.token.create, { body: { name: 'one', unlimited_quota: true } }))
})
afterAll(async () => {
  await site.close()
  await bucket.close()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

async function set(changes: Partial<Record<OptionKey, string>>): Promise<void> {
  for (const [name, value] of Object.entries(changes))
    await site.root.call(routes.option.update, { body: { key: name, value } })
}

const backup = async () => (await site.root.call(routes.job.list)).find(({ name }) => name === 'backup')

/** Requests the job in the console and waits until its run has ended. */
async function runBackup() {
  await site.root.call(routes.job.run, { params: { name: 'backup' } })
  await expect.poll(async () => (await backup())?.state).toBe('idle')
  return backup()
}

const callStatus = async () => (await relayCall({ address: site.address, key })).status

it('a copy goes to the folder and the bucket while calls are served, and a restore of it balances', async () => {
  await set({
    BackupTimes: '30 3 * * *',
    BackupFolder: copies,
    BackupS3Address: `${bucket.url}/bucket/site`,
    BackupS3Region: FAKE_S3.region,
    BackupS3Key: FAKE_S3.accessKey,
    BackupS3Secret: FAKE_S3.secret,
  })
  expect(await callStatus()).toBe(200)
  const [job, status] = await Promise.all([runBackup(), callStatus()])
  expect(status).toBe(200)
  expect(job).toMatchObject({ outcome: 'ok', reason: null, times: '30 3 * * *' })
  expect(job?.next_time).toBeGreaterThan(Date.now() / 1000)
  const [name = ''] = readdirSync(copies)
  expect([...bucket.objects.keys()].toSorted()).toEqual([
    `/bucket/site/${name}`,
    '/bucket/site/tollgate-owner.json',
  ])

  const place = { sqlDsn: '', sqlitePath: join(folder, 'second/tollgate.db'), isSecretGiven: false }
  mkdirSync(join(folder, 'second'))
  await runRestore({
    place,
    from: join(copies, name),
    secrets: undefined,
    mayReplace: false,
    progress: silentProgress,
  })
  const { report } = await runAudit(place)
  expect(report.findings).toEqual([])
  expect(report.entries).toBeGreaterThan(0)
})

it('a wrong S3 address is a readable line on the page of the jobs, and calls go on', async () => {
  await set({ BackupS3Address: `${bucket.url}/another` })
  const job = await runBackup()
  expect(job).toMatchObject({ outcome: 'failed' })
  expect(job?.reason?.en).toContain('NoSuchBucket')
  expect(job?.reason?.zh).toContain('NoSuchBucket')
  expect(readdirSync(copies).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  expect(await callStatus()).toBe(200)
})

it('the secret is never part of a response', async () => {
  const text = await (await site.root.fetch('/api/option/')).text()
  expect(text).toContain('BackupS3Region')
  expect(text).not.toContain(FAKE_S3.secret)
})
