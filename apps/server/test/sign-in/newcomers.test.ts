import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countUsers } from './sign-in-harness.ts'
import { type FakeGitHub, openFakeGitHub } from './fake-github.ts'

const servers = await answeringServers()
const engines = [
  { name: 'SQLite', place: async () => ({ environment: {}, drop: async () => undefined }) },
  ...servers.map((server) => ({
    name: server.label,
    place: async () => {
      const { dsn, drop } = await server.createMigrated()
      return { environment: { SQL_DSN: dsn }, drop }
    },
  })),
]

const CROWD = 8

describe.each(engines)('concurrent first sign-ins on $name', ({ place }) => {
  let provider: FakeGitHub
  let drop: () => Promise<void>
  beforeAll(async () => {
    const { environment, drop: dropDatabase } = await place()
    drop = dropDatabase
    provider = await openFakeGitHub({ environment })
  })
  afterAll(async () => {
    await provider.close()
    await drop()
  })

  test('each new user gets an account and a name of their own', async () => {
    const crowd = Array.from({ length: CROWD }, () => provider.somebody())
    const answers = await Promise.all(
      crowd.map((person) => provider.signIn(provider.gateway.visitor(), person)),
    )
    const names = answers.map(({ data }) => data?.username ?? '')
    expect(new Set(names).size).toBe(CROWD)
    for (const name of names) expect(name).toMatch(/^[a-z]+_[a-z0-9]{1,6}$/)
  })

  test('one person signing in through several windows gets one account', async () => {
    const person = provider.somebody()
    const users = await countUsers(provider.gateway)
    const windows = Array.from({ length: CROWD }, () => provider.gateway.visitor())
    const answers = await Promise.all(windows.map((who) => provider.signIn(who, person)))
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1)
    expect(await countUsers(provider.gateway)).toBe(users + 1)
  })

  test('of several new users with one e-mail address, one gets it and the others get none', async () => {
    const emails = [{ email: 'shared@example.com', primary: true, verified: true }]
    const crowd = Array.from({ length: 4 }, () => provider.somebody({ emails }))
    const answers = await Promise.all(
      crowd.map((person) => provider.signIn(provider.gateway.visitor(), person)),
    )
    const noted = answers.map(({ data }) => data?.email ?? '').toSorted()
    expect(noted).toEqual(['', '', '', 'shared@example.com'])
  })
})
