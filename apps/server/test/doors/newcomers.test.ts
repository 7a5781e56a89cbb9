import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countUsers } from './doorstep.ts'
import { type GitHubDoor, openGitHubDoor } from './github-door.ts'

const servers = await answeringServers()
const engines = [
  { name: 'SQLite', place: async () => ({ environment: {}, drop: async () => undefined }) },
  ...servers.map((server) => ({
    name: server.label,
    place: async () => {
      const { dsn, drop } = await server.createDatabase()
      return { environment: { SQL_DSN: dsn }, drop }
    },
  })),
]

const CROWD = 8

describe.each(engines)('19.24 newcomers at once on $name', ({ place }) => {
  let door: GitHubDoor
  let drop: () => Promise<void>
  beforeAll(async () => {
    const { environment, drop: dropDatabase } = await place()
    drop = dropDatabase
    door = await openGitHubDoor({ environment })
  })
  afterAll(async () => {
    await door.close()
    await drop()
  })

  test('all get an account and a name of their own', async () => {
    const crowd = Array.from({ length: CROWD }, () => door.somebody())
    const answers = await Promise.all(crowd.map((person) => door.signIn(door.gateway.visitor(), person)))
    const names = answers.map(({ data }) => data?.username ?? '')
    expect(new Set(names).size).toBe(CROWD)
    for (const name of names) expect(name).toMatch(/^[a-z]+_[a-z0-9]{1,6}$/)
  })

  test('the same person through several windows gets one', async () => {
    const person = door.somebody()
    const users = await countUsers(door.gateway)
    const windows = Array.from({ length: CROWD }, () => door.gateway.visitor())
    const answers = await Promise.all(windows.map((who) => door.signIn(who, person)))
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1)
    expect(await countUsers(door.gateway)).toBe(users + 1)
  })

  test('one wanting an address that another has just taken comes in without it', async () => {
    const emails = [{ email: 'shared@example.com', primary: true, verified: true }]
    const crowd = Array.from({ length: 4 }, () => door.somebody({ emails }))
    const answers = await Promise.all(crowd.map((person) => door.signIn(door.gateway.visitor(), person)))
    const noted = answers.map(({ data }) => data?.email ?? '').toSorted()
    expect(noted).toEqual(['', '', '', 'shared@example.com'])
  })
})
