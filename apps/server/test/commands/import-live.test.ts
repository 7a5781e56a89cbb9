import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/app/index.ts'
import { runAudit } from '../../src/commands/audit/run-audit.ts'
import { readConfig } from '../../src/config/index.ts'
import { Visitor } from '../harness.ts'
import { SECRETS, type TargetFolder, makeTarget } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'
import { ODD_USERS } from './support/source-oddities.ts'
import { OLD_PASSWORD, tokenKey } from './support/source-rows.ts'

/**
 * Runs the gateway over an imported database: accounts, passwords and tokens of the source must keep working.
 */

let source: SourceDatabase
let target: TargetFolder
let server: RunningServer
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
  target = makeTarget()
  await target.import(source.place)
  const environment = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', DRAIN_SECONDS: '1' }
  server = await startServer(readConfig({ ...SECRETS, ...environment, SQLITE_PATH: target.sqlitePath }))
})
afterAll(async () => {
  await server.close({ drainMs: 0 })
  target.drop()
  await source.drop()
})

it('the setup counts as done', async () => {
  expect(await new Visitor(server.address).call(routes.setup.read)).toMatchObject({ status: true })
})

it('users sign in with their old passwords and see their old balances', async () => {
  const visitor = new Visitor(server.address)
  const self = await visitor.signIn({ username: 'user9', password: OLD_PASSWORD })
  const original = source.tables['users']?.[8]
  expect(self).toMatchObject({
    id: 9,
    quota: original?.['quota'],
    used_quota: original?.['used_quota'],
    request_count: original?.['request_count'],
  })
  // The first sign-in has replaced the old hash; the password still works.
  expect(
    await new Visitor(server.address).signIn({ username: 'user9', password: OLD_PASSWORD }),
  ).toMatchObject({ id: 9 })
})

it('a user whose name looks like an e-mail address can sign in', async () => {
  const visitor = new Visitor(server.address)
  const self = await visitor.signIn({ username: 'Someone@old.example', password: OLD_PASSWORD })
  expect(self.id).toBe(ODD_USERS.namedLikeAnAddress)
})

it('owners see the remaining quota of their tokens', async () => {
  const visitor = new Visitor(server.address)
  await visitor.signIn({ username: 'user9', password: OLD_PASSWORD })
  const tokens = await visitor.call(routes.token.list, { query: {} })
  const original = source.tables['tokens']?.find(({ id }) => id === 8)
  expect(tokens.find(({ id }) => id === 8)).toMatchObject({
    remain_quota: original?.['remain_quota'],
    used_quota: original?.['used_quota'],
  })
})

it('the old API keys work', async () => {
  expect((await ask(tokenKey(1))).status).toBe(200)
  // This token was deleted in the source, so its key must not work here.
  expect((await ask(tokenKey(60))).status).toBe(401)
  expect((await ask('unknown')).status).toBe(401)
})

function ask(key: string): Promise<Response> {
  return fetch(`${server.address}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
}

it('the database can be audited while the gateway runs', async () => {
  const { report, durability, totals } = await runAudit({ sqlDsn: '', sqlitePath: target.sqlitePath })
  expect(report.findings).toEqual([])
  expect(durability).toEqual([])
  expect(totals.get('user')?.accounts).toBe(source.tables['users']?.length)
})
