import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RouteDefinition } from '@tollgate/contract/route'
import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { listOptions, writeOption } from '@tollgate/store/operations/options'
import type { Store } from '@tollgate/store/database/open-store'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { openNewStore } from '@tollgate/testkit/new-store'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openChanges } from '../src/services/change.ts'

const servers = await answeringServers()

/** Routes whose handlers do not call `change`, with the reason. */
const WITHOUT_CHANGE: Readonly<Record<string, string>> = {
  'adminUser.ownerOfKey': 'it only reads; a POST keeps the key out of the address',
  'affinity.clear': 'bindings are not in the database; the audit row is written before they go',
  'channel.fetchModelsByForm': 'it only asks an upstream',
  'channel.fix': 'it only reloads the snapshots',
  'channel.reveal': 'it only reads; its audit row is written before the answer',
  'channel.test': 'it stores a measurement, as the job does without an operator',
  'channel.testAll': 'it starts the job that measures',
  'channel.updateBalance': 'it stores a measurement, as the job does without an operator',
  'channel.updateBalances': 'it starts the job that measures',
  'channelInsight.explain': 'it only reads',
  'channelKey.renew':
    'the refresh stores the key as soon as the upstream has issued it, also without an operator',
  'channelLesson.forget': 'lessons are not in the database; the audit row is written before they go',
  'log.removeOld': 'it deletes in many short transactions, so that calls can be settled in between',
  'alert.testReceiver': 'sends a message and changes nothing',
  'mail.sendTest': 'it only sends a mail',
}

const SERVICES = fileURLToPath(new URL('../src/services/', import.meta.url))

const handlerFiles = readdirSync(SERVICES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('handlers.ts'))
  .map((file) => join(SERVICES, file))

/** Text of each function of a file by its name. */
function functionsOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^(?=(?:export )?(?:async )?function )/m)
  return new Map(
    parts.flatMap((body) => {
      const name = /^(?:export )?(?:async )?function (\w+)/.exec(body)?.[1]
      return name === undefined ? [] : [[name, body] as const]
    }),
  )
}

/** Functions imported from other files of the services, by their names here. */
function importsOf(file: string, text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^import (?!type)\{([^}]*)\} from '(\.[^']*)'/gm)
  return new Map(
    [...lines].flatMap(([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => [name, join(dirname(file), path)] as const),
    ),
  )
}

function reachesChange(file: string, name: string, seen: Set<string>): boolean {
  if (seen.has(`${file} ${name}`) || !file.startsWith(SERVICES)) return false
  seen.add(`${file} ${name}`)
  const text = readFileSync(file, 'utf8')
  const body = functionsOf(text).get(name)
  if (body === undefined) return false
  if (/(?:services\.|[^.\w])change\(/.test(body)) return true
  const words = new Set(body.match(/\b\w+(?=\()/g))
  const own = [...functionsOf(text).keys()].filter((one) => one !== name && words.has(one))
  const others = [...importsOf(file, text)].filter(([one]) => words.has(one))
  return (
    own.some((one) => reachesChange(file, one, seen)) ||
    others.some(([one, path]) => reachesChange(path, one, seen))
  )
}

interface WriteRoute {
  /** For example `channel.create`. */
  readonly name: string
  readonly isAudited: boolean
}

/** Routes of administrators that may change something. */
function writeRoutes(): readonly WriteRoute[] {
  const groups: Readonly<Record<string, Readonly<Record<string, RouteDefinition>>>> = routes
  return handlerFiles.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const imports = importsOf(file, text)
    const bindings = text.matchAll(/bind\(\s*(\w+)Routes\.(\w+),\s*(\w+)\(/g)
    return [...bindings].flatMap(([, group = '', name = '', handler = '']) => {
      const route = groups[group]?.[name]
      if (!route) throw new Error(`${file}: ${group}.${name} is not in the route table`)
      const isWrite = route.method !== 'GET' || route.changesState
      if (!isWrite || (route.access !== 'admin' && route.access !== 'root')) return []
      const isAudited = reachesChange(imports.get(handler) ?? file, handler, new Set())
      return [{ name: `${group}.${name}`, isAudited }]
    })
  })
}

test('every write route of administrators goes through change or has a reason not to', () => {
  const all = writeRoutes()
  expect(all.length).toBeGreaterThan(40)
  const open = all.filter(({ isAudited }) => !isAudited).map(({ name }) => name)
  expect(open.toSorted()).toEqual(Object.keys(WITHOUT_CHANGE).toSorted())
})

describe.each(['SQLite', ...servers.map(({ label }) => label)])('on %s', (label) => {
  let store: Store
  let database: TestDatabase | undefined
  const clock = new ManualClock()
  const notices = { publish: vi.fn(async () => undefined) }
  const by = { actor: { id: 1 }, address: '203.0.113.9' }

  beforeAll(async () => {
    database = await servers.find((server) => server.label === label)?.createMigrated()
    store = await openNewStore(database ? { dsn: database.dsn } : { sqlitePath: ':memory:' })
  })
  afterAll(async () => {
    await store.close()
    await database?.drop()
  })

  const write = (value: string) =>
    openChanges({ store: store.db, clock, notices }).change(by, {
      action: 'update',
      entity: 'option',
      work: (transaction) =>
        writeOption(transaction, {
          key: 'Notice',
          value,
          shownValue: value,
          shownBefore: String,
          nowMs: clock.nowMs(),
          actorId: by.actor.id,
        }),
      row: { entityId: 'Notice', after: value, notice: 'options' },
    })

  test('a change, its audit row and its notice come together', async () => {
    await write('first')
    expect(await listOptions(store.db)).toMatchObject([{ key: 'Notice', value: 'first', version: 1 }])
    const rows = await store.db.selectFrom('audit_log').selectAll().execute()
    expect(rows).toMatchObject([
      { actor_id: 1, action: 'update', entity: 'option', entity_id: 'Notice', address: '203.0.113.9' },
    ])
    expect(notices.publish.mock.calls).toEqual([['options']])
  })

  test('a change whose audit row cannot be written does not happen', async () => {
    notices.publish.mockClear()
    await sql`alter table audit_log rename to audit_elsewhere`.execute(store.db)
    await expect(write('second')).rejects.toThrow()
    await sql`alter table audit_elsewhere rename to audit_log`.execute(store.db)
    expect(await listOptions(store.db)).toMatchObject([{ value: 'first', version: 1 }])
    expect(notices.publish).not.toHaveBeenCalled()
  })

  test('work that fails leaves no audit row', async () => {
    const failing = openChanges({ store: store.db, clock, notices }).change(by, {
      action: 'remove',
      entity: 'option',
      work: async () => {
        throw new Error('refused')
      },
      row: { entityId: 'Notice' },
    })
    await expect(failing).rejects.toThrow('refused')
    expect(await store.db.selectFrom('audit_log').selectAll().execute()).toHaveLength(1)
  })
})
