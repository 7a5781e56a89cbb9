import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEgress } from '@tollgate/egress/open-egress'
import { FAKE_S3, type FakeS3, type Fault, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openS3Store } from '../s3/s3-store.ts'
import { s3Target } from './s3-target.ts'

/** A copy of 200 KiB in parts of 64 KiB. */

const NAME = 'tollgate-20261124T033000Z.db'
const OBJECT = `/bucket/site one/${NAME}`
const PART_BYTES = 64 * 1024
const PAUSES_MS = [1, 2, 3]
const copy = randomBytes(200 * 1024)
const signal = new AbortController().signal
const egress = openEgress({ allowedAddresses: ['127.0.0.1'] })

let folder: string
let store: FakeS3
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-s3-'))
  store = await startFakeS3()
  writeFileSync(join(folder, NAME), copy)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const target = () => {
  const { region, accessKey, secret } = FAKE_S3
  const settings = { address: `${store.url}/bucket/site one`, region, accessKey, secret }
  return s3Target(openS3Store(settings, egress), { partBytes: PART_BYTES, pausesMs: PAUSES_MS })
}
const put = (ended = signal) => target().put(NAME, join(folder, NAME), ended)

it('a large copy arrives in parts and whole, with its checksum', async () => {
  await put()
  expect(store.objects.get(OBJECT)?.equals(copy)).toBe(true)
  expect(store.hashes.get(OBJECT)).toBe(createHash('sha256').update(copy).digest('hex'))
  expect(store.bytesMax).toBe(PART_BYTES)
  expect(store.uploads.size).toBe(0)
})

it('a copy of exactly one part is sent in one request, and one of whole parts has no empty last part', async () => {
  for (const parts of [1, 2]) {
    const bytes = copy.subarray(0, parts * PART_BYTES)
    writeFileSync(join(folder, NAME), bytes)
    await put()
    expect(store.objects.get(OBJECT)?.equals(bytes)).toBe(true)
    expect(store.bytesMax).toBe(PART_BYTES)
  }
})

it.each([
  [
    'the third part',
    (url: URL) => url.searchParams.get('partNumber') === '3',
    'answered 500 (InternalError)',
  ],
  [
    'the end',
    (url: URL, method: string) => method === 'POST' && url.searchParams.has('uploadId'),
    'answered 500',
  ],
])('an upload that fails at %s leaves nothing in the bucket', async (_at, isAt, line) => {
  store.fault = (method, url) => (isAt(url, method) ? 'error' : undefined)
  await expect(put()).rejects.toThrow(line)
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0])
})

/** Faults of the second part, in the order of its attempts. */
function failSecondPart(faults: readonly Fault[]): () => number {
  let attempts = 0
  store.fault = (_method, url) => {
    if (url.searchParams.get('partNumber') !== '2') return undefined
    return faults[attempts++]
  }
  return () => attempts
}

it('a part that fails is sent again, and the copy arrives whole', async () => {
  const attempts = failSecondPart(['error', 'drop', 'error'])
  await put()
  expect(attempts()).toBe(4)
  expect(store.objects.get(OBJECT)?.equals(copy)).toBe(true)
  expect(store.uploads.size).toBe(0)
})

it('after the last attempt the upload is aborted', async () => {
  const attempts = failSecondPart(['error', 'error', 'drop', 'error', 'error'])
  await expect(put()).rejects.toThrow('answered 500 (InternalError)')
  expect(attempts()).toBe(4)
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0])
})

it('a part that the store refuses is not sent again', async () => {
  const attempts = failSecondPart(['refused', 'refused'])
  await expect(put()).rejects.toThrow('answered 403 (AccessDenied)')
  expect(attempts()).toBe(1)
  expect(store.uploads.size).toBe(0)
})

it('a stop ends the pause before the next attempt', async () => {
  const stop = new AbortController()
  const { region, accessKey, secret } = FAKE_S3
  const settings = { address: `${store.url}/bucket/site one`, region, accessKey, secret }
  const slow = s3Target(openS3Store(settings, egress), { partBytes: PART_BYTES, pausesMs: [3_600_000] })
  const attempts = failSecondPart(['error', 'error'])
  const upload = slow.put(NAME, join(folder, NAME), stop.signal)
  await expect.poll(attempts).toBe(1)
  setTimeout(() => stop.abort(), 20)
  await expect(upload).rejects.toThrow('aborted')
  expect([attempts(), store.uploads.size]).toEqual([1, 0])
})

it('an error text in an answer with status 200 is an error', async () => {
  store.fault = (method, url) =>
    method === 'POST' && url.searchParams.has('uploadId') ? 'error-with-200' : undefined
  await expect(put()).rejects.toThrow('could not put the parts of the copy together (InternalError)')
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0])
})

it('an upload that is stopped leaves nothing in the bucket', async () => {
  const stop = new AbortController()
  store.fault = (_method, url) => {
    if (url.searchParams.get('partNumber') === '2') stop.abort()
    return undefined
  }
  await expect(put(stop.signal)).rejects.toThrow()
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0])
})
