import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FAKE_S3, type FakeS3, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TargetFolder, makeTarget, runInProcess } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/** A restore of a copy in a bucket, with the command that an operator types. */

const NAME = 'tollgate-20261124T033000Z.db'
const OLDER = 'tollgate-20261123T033000Z.db'
const KEYS = {
  AWS_ACCESS_KEY_ID: FAKE_S3.accessKey,
  AWS_SECRET_ACCESS_KEY: FAKE_S3.secret,
  AWS_REGION: FAKE_S3.region,
}

let source: SourceDatabase
let site: TargetFolder
let backup: Buffer
let store: FakeS3
let target: TargetFolder
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
  site = makeTarget()
  await site.import(source.place)
  const path = join(site.folder, 'backup.db')
  expect(await runInProcess('backup', { args: ['--to', path], folder: site.folder })).toMatchObject({
    code: 0,
  })
  backup = readFileSync(path)
})
afterAll(async () => {
  site.drop()
  await source.drop()
})
beforeEach(async () => {
  store = await startFakeS3()
  target = makeTarget()
  keep(NAME, backup)
})
afterEach(async () => {
  await store.close()
  target.drop()
})

function keep(
  name: string,
  content: Buffer,
  hash = createHash('sha256').update(content).digest('hex'),
): void {
  store.objects.set(`/bucket/site/${name}`, content)
  store.hashes.set(`/bucket/site/${name}`, hash)
}

const restore = (from: string, environment: Readonly<Record<string, string>> = KEYS) =>
  runInProcess('restore', { args: ['--from', from], folder: target.folder, environment })

it('the newest copy of a folder is restored, and its books balance', async () => {
  keep(OLDER, Buffer.from('an older copy'))
  const { code, output, errors } = await restore(`${store.url}/bucket/site/`)
  expect([code, errors]).toEqual([0, ''])
  expect(output).toContain(`restored from ${store.url}/bucket/site/${NAME}`)
  const audit = await runInProcess('audit', { folder: target.folder })
  expect(audit).toMatchObject({ code: 0 })
  expect(readdirSync(target.folder).filter((name) => /fetched|part/.test(name))).toEqual([])
})

it.each([
  ['another bucket', () => `${store.url}/other/site/${NAME}`, 'answered 404 (NoSuchBucket)'],
  ['a copy that is not there', () => `${store.url}/bucket/site/${OLDER}`, 'answered 404 (NoSuchKey)'],
  [
    'a folder without copies',
    () => `${store.url}/bucket/empty/`,
    'There is no copy named tollgate-<time>.db',
  ],
  ['an address without a bucket', () => `${store.url}/${NAME}`, 'is no address of a backup in a bucket'],
  ['a store that is not there', () => `http://127.0.0.1:1/bucket/${NAME}`, 'cannot be reached'],
])('%s is one line', async (_what, from, line) => {
  const { code, errors } = await restore(from())
  expect([code, errors.trim().split('\n').length]).toEqual([1, 1])
  expect(errors).toContain(line)
  expect(existsSync(target.sqlitePath)).toBe(false)
})

it('missing and wrong keys are one line each', async () => {
  const from = `${store.url}/bucket/site/${NAME}`
  expect((await restore(from, {})).errors).toBe(
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to open the bucket.\n',
  )
  const wrong = await restore(from, { ...KEYS, AWS_SECRET_ACCESS_KEY: 'another' })
  expect(wrong.errors).toMatch(/^.*answered 403 \(SignatureDoesNotMatch\).*\n$/)
})

it('a copy that is cut off, changed or no database is refused in one line, and nothing stays behind', async () => {
  const from = `${store.url}/bucket/site/${NAME}`
  store.fault = (method) => (method === 'GET' ? 'cut' : undefined)
  expect((await restore(from)).errors).toMatch(/^tollgate-\S+ could not be fetched as a whole: .*\n$/)
  store.fault = () => undefined

  const changed = Buffer.from(backup)
  changed.fill(0, 8192, 8200)
  keep(NAME, changed, store.hashes.get(`/bucket/site/${NAME}`))
  expect((await restore(from)).errors).toMatch(/^tollgate-\S+ is damaged: its checksum .*\n$/)

  keep(NAME, backup.subarray(0, backup.length / 2))
  expect((await restore(from)).errors).toMatch(/^http\S+ is no whole database: .*\n$/)
  expect(readdirSync(target.folder)).toEqual(['tollgate.db.lock'])
})
