import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { type FakeS3, FAKE_S3, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, Visitor } from './harness.ts'
import { operate, relayCall } from './nodes/operator.ts'
import { type Program, startProgram } from './nodes/program.ts'
import { runCommandWith } from './nodes/run-command-with.ts'

/** A copy of production does nothing outside of itself until a person confirms it. */

const SECRETS = { CRYPTO_SECRET: 'crypto secret of production', EGRESS_ALLOW: '127.0.0.1' }
let folder: string
let upstream: FakeUpstream
let bucket: FakeS3
let production: Program
let key: string
const running: Program[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
  upstream = await startFakeUpstream()
  bucket = await startFakeS3()
  production = await start('production')
  const { root, newToken } = await operate(production.address, upstream)
  key = await newToken('everywhere')
  const set = (name: string, value: string | number) =>
    root.call(routes.option.update, { body: { key: name, value } })
  await set('BackupS3Address', `${bucket.url}/${FAKE_S3.bucket}`)
  await set('BackupS3Region', FAKE_S3.region)
  await set('BackupS3Key', FAKE_S3.accessKey)
  await set('BackupS3Secret', FAKE_S3.secret)
  await set('BackupKeep', 1)
})
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  await upstream.close()
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(site: string, more: Record<string, string> = {}): Promise<Program> {
  const own = join(folder, site)
  mkdirSync(own, { recursive: true })
  const program = await startProgram(own, { ...SECRETS, ...more })
  running.push(program)
  return program
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

async function signIn({ address }: Program): Promise<Visitor> {
  const root = new Visitor(address)
  await root.signIn(ROOT)
  return root
}

async function backUp(root: Visitor) {
  // In a copy the job may still count as running, because it made the copy.
  const begin = () => root.call(routes.job.run, { params: { name: 'backup' } })
  await expect.poll(() => begin().then(() => 'begun', String), { timeout: 150_000 }).toBe('begun')
  const job = async () => (await root.call(routes.job.list)).find(({ name }) => name === 'backup')
  await expect.poll(async () => (await job())?.state, { timeout: 150_000 }).toBe('idle')
  return job()
}

const copies = () => [...bucket.objects.keys()].filter((name) => name.endsWith('.db'))
const newestCopy = () => `${bucket.url}${copies().toSorted().at(-1) ?? ''}`
const bucketAccess = {
  AWS_ACCESS_KEY_ID: FAKE_S3.accessKey,
  AWS_SECRET_ACCESS_KEY: FAKE_S3.secret,
  AWS_REGION: FAKE_S3.region,
}

async function restore(site: string): Promise<void> {
  const own = join(folder, site)
  mkdirSync(own, { recursive: true })
  const { code, printed } = await runCommandWith(own, {
    args: ['restore', '--from', newestCopy()],
    environment: { ...SECRETS, ...bucketAccess },
  })
  expect(code, printed).toBe(0)
  expect(printed).toContain('It is a copy until you confirm it')
}

test('production backs itself up', async () => {
  expect(await backUp(await signIn(production))).toMatchObject({ outcome: 'ok' })
}, 200_000)

test('a restored copy serves calls and writes nothing into the bucket of production', async () => {
  await restore('restored')
  const before = copies()
  const copy = await start('restored')
  expect(copy.printed()).toContain('this database is a copy that nobody has confirmed')
  const root = await signIn(copy)
  expect(await root.call(routes.installation.read)).toMatchObject({ is_confirmed: false, cause: 'restored' })
  expect((await relayCall({ address: copy.address, key })).status).toBe(200)
  expect(await backUp(root)).toMatchObject({
    outcome: 'failed',
    reason: { en: expect.stringContaining('nobody has confirmed') },
  })
  expect(copies()).toEqual(before)

  expect(await root.call(routes.installation.confirm)).toMatchObject({ is_confirmed: true, cause: '' })
  expect(await backUp(root)).toMatchObject({ outcome: 'ok' })
  // The original finds that it no longer owns the bucket.
  const after = copies()
  expect(await backUp(await signIn(production))).toMatchObject({
    outcome: 'failed',
    reason: { en: expect.stringContaining('belongs to another installation') },
  })
  expect(copies()).toEqual(after)
  await stop(copy)
  const again = await start('restored')
  expect(await (await signIn(again)).call(routes.installation.read)).toMatchObject({ is_confirmed: true })
  await stop(again)
}, 300_000)

test('a copied file on another installation is a copy, and CONFIRM_RESTORED confirms it', async () => {
  await restore('file')
  const own = join(folder, 'file')
  const confirmed = await start('file', { CONFIRM_RESTORED: '1' })
  expect(await (await signIn(confirmed)).call(routes.installation.read)).toMatchObject({ is_confirmed: true })
  await stop(confirmed)
  // The file alone, in the folder of an installation that has an id.
  mkdirSync(join(folder, 'other', 'data'), { recursive: true })
  writeFileSync(join(folder, 'other', 'data', 'installation-id'), 'other\n')
  cpSync(join(own, 'data', 'tollgate.db'), join(folder, 'other', 'data', 'tollgate.db'))
  const other = await start('other')
  expect(await (await signIn(other)).call(routes.installation.read)).toMatchObject({
    is_confirmed: false,
    cause: 'other-installation',
  })
  await stop(other)
  const confirm = () =>
    runCommandWith(join(folder, 'other'), { args: ['confirm', '--json'], environment: SECRETS })
  expect(JSON.parse((await confirm()).printed)).toEqual({ isConfirmed: true, isChanged: true })
  expect(JSON.parse((await confirm()).printed)).toEqual({ isConfirmed: true, isChanged: false })
  const marked = await runCommandWith(join(folder, 'other'), { args: ['mark-copy'], environment: SECRETS })
  expect(marked.code, marked.printed).toBe(0)
  const again = await start('other')
  expect(await (await signIn(again)).call(routes.installation.read)).toMatchObject({ cause: 'marked' })
  await stop(again)
}, 300_000)

test.each([
  ['a container with another name', {}, (site: string) => site],
  [
    'a folder with another name',
    {},
    (site: string) => {
      renameSync(join(folder, site), join(folder, `${site}-renamed`))
      return `${site}-renamed`
    },
  ],
  [
    'a pod that moved without its id',
    {},
    (site: string) => {
      rmSync(join(folder, site, 'data', 'installation-id'))
      return site
    },
  ],
  ['an installation that is named as before', { INSTALLATION_ID: 'named' }, (site: string) => site],
] as const)(
  '%s stays the original',
  async (what, environment, move) => {
    const site = `original ${what}`
    const first = await start(site, environment)
    await operate(first.address, upstream)
    await stop(first)
    const second = await start(move(site), environment)
    expect(await (await signIn(second)).call(routes.installation.read)).toMatchObject({ is_confirmed: true })
    await stop(second)
    expect(existsSync(join(folder, site, 'data', 'installation-id'))).toBe(
      what !== 'a folder with another name' && !('INSTALLATION_ID' in environment),
    )
  },
  120_000,
)

test('the owner of the bucket is in a file of it', () => {
  const owner = JSON.parse(String(bucket.objects.get(`/${FAKE_S3.bucket}/tollgate-owner.json`)))
  expect(owner.owner).toBe(readFileSync(join(folder, 'restored', 'data', 'installation-id'), 'utf8').trim())
  expect(readdirSync(join(folder, 'restored', 'data'))).toContain('installation-id')
})
