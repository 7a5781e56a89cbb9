import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { openStore } from '@tollgate/store/database/open-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startServer } from '../src/app/index.ts'
import { OtherSecretError } from '../src/app/same-secret.ts'
import { readConfig } from '../src/config/index.ts'
import { ROOT, Visitor } from './harness.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-secret-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const start = (secret: string) =>
  startServer(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      SQLITE_PATH: join(folder, 'tollgate.db'),
      SESSION_SECRET: 'session secret of the tests',
      CRYPTO_SECRET: secret,
      LOG_LEVEL: 'silent',
    }),
  )
const RIGHT = 'the right secret of this database'
const WRONG = 'another secret, set by mistake'

async function setUp(address: string): Promise<Visitor> {
  const root = new Visitor(address)
  await root.call(routes.setup.run, { body: { ...ROOT, confirmPassword: ROOT.password } })
  await root.signIn(ROOT)
  return root
}

/** All tables that a start may write to. */
async function contents(): Promise<unknown> {
  const store = await openStore({ sqlitePath: join(folder, 'tollgate.db') })
  const { db } = store
  const found = [
    await db.selectFrom('options').selectAll().execute(),
    await db.selectFrom('instance').selectAll().execute(),
    await db.selectFrom('channels').selectAll().execute(),
    await db.selectFrom('tokens').selectAll().execute(),
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('entry').selectAll().execute(),
    await db.selectFrom('lease').selectAll().execute(),
  ]
  await store.close()
  return found
}

const token = { body: { name: 'kept', unlimited_quota: true } }
const option = { body: { key: 'GitHubClientSecret', value: 'canary-client-secret' } }

test.each(['a token', 'an option'])(
  'a start with another CRYPTO_SECRET is refused while %s is stored',
  async (what) => {
    const first = await start(RIGHT)
    const root = await setUp(first.address)
    if (what === 'a token') await root.call(routes.token.create, token)
    else await root.call(routes.option.update, option)
    await first.close({ drainMs: 0 })
    const before = await contents()

    const refused = start(WRONG)
    await expect(refused).rejects.toThrow(OtherSecretError)
    await expect(refused).rejects.toThrow('CRYPTO_SECRET is not the one')
    expect(await contents()).toEqual(before)

    const again = await start(RIGHT)
    await again.close({ drainMs: 0 })
  },
)

test('another CRYPTO_SECRET is accepted while no secret is stored', async () => {
  const first = await start(RIGHT)
  await setUp(first.address)
  await first.close({ drainMs: 0 })
  const again = await start(WRONG)
  await again.close({ drainMs: 0 })
})

test('one damaged secret does not prevent the start', async () => {
  const first = await start(RIGHT)
  const root = await setUp(first.address)
  await root.call(routes.token.create, token)
  await root.call(routes.token.create, token)
  await first.close({ drainMs: 0 })
  const store = await openStore({ sqlitePath: join(folder, 'tollgate.db') })
  const last = store.db.selectFrom('tokens').select((select) => select.fn.max('id').as('id'))
  const { id } = await last.executeTakeFirstOrThrow()
  await store.db.updateTable('tokens').set({ key_sealed: 'v1.damaged' }).where('id', '=', id).execute()
  await store.close()
  const again = await start(RIGHT)
  await again.close({ drainMs: 0 })
})
