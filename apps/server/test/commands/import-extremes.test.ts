import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { type ImportResult, runImport } from '../../src/commands/import/run-import.ts'
import { type TargetFolder, makeTarget, runInProcess, cipherKey, silent } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/**
 * Extreme values that the source's columns can hold although new-api and its forks never write them. On every
 * engine each is imported or reported.
 */
const MOST = 9_223_372_036_854_775_807n
const LEAST = -9_223_372_036_854_775_808n
const LONG = 'long '.repeat(80)

let source: SourceDatabase
beforeAll(async () => {
  source = await sqliteSource({
    tables: {
      users: [
        { id: 1, username: 'root', password: '', role: 100, aff_code: 'a' },
        { ...user(2), quota: MOST, used_quota: MOST, aff_quota: MOST, aff_history: MOST },
        { ...user(3), quota: LEAST, used_quota: LEAST, aff_quota: LEAST, aff_history: MOST },
        { ...user(4), access_token: 'one token', status: MOST, role: LEAST, request_count: MOST },
        { ...user(5), access_token: ' one token ', deleted_at: 1e300 },
      ],
      tokens: [token(1, 'one key'), token(2, ' one key '), { ...token(3, 'other'), remain_quota: MOST }],
      channels: [
        { id: 1, type: MOST, key: 'x', used_quota: MOST, priority: MOST, weight: MOST },
        { id: 2, type: LEAST, key: 'x', used_quota: LEAST, priority: LEAST, weight: LEAST },
        { id: 3, type: 1, key: 'x', used_quota: MOST },
        { id: 4, type: 41, key: '[{"private_key":"a,b"},{"private_key":"c"}]' },
        { id: 5, type: 41, key: '{"private_key":"a,b"}\n{"private_key":"c"}' },
        { id: 6, type: 41, key: '{"private_key":\n "a,b' },
      ],
      redemptions: [
        { id: 1, key: 'one code' },
        { id: 2, key: 'one code ' },
      ],
      tasks: [{ id: 1, task_id: 't', status: LONG, progress: LONG, quota: MOST }],
      quota_data: [1, 2, 3].map((id) => ({ id, user_id: 1, created_at: 3600, quota: MOST })),
      logs: [3600, 3601, LEAST, MOST].map((at, index) => ({
        id: index + 1,
        user_id: 1,
        created_at: at,
        type: at,
        quota: MOST,
        use_time: MOST,
        prompt_tokens: MOST,
        completion_tokens: LEAST,
      })),
    },
  })
})
afterAll(() => source.drop())

function user(id: number) {
  return { id, username: `user${id}`, password: '', aff_code: `a${id}` }
}

function token(id: number, key: string) {
  return { id, user_id: 1, key, name: `token ${id}` }
}

const targets = [{ label: 'SQLite', createDatabase: async () => undefined }, ...(await answeringServers())]

describe.each(targets)('an import into $label', ({ createDatabase }) => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let target: TargetFolder
  let result: ImportResult
  beforeAll(async () => {
    database = await createDatabase()
    target = makeTarget()
    const place = { sqlDsn: database?.dsn ?? '', sqlitePath: target.sqlitePath, cipherKey }
    result = await runImport({ from: source.place, withLogs: true, isDryRun: false, progress: silent, place })
  })
  const look = async <T>(question: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ dsn: database?.dsn ?? '', sqlitePath: target.sqlitePath })
    try {
      return await question(store)
    } finally {
      await store.close()
    }
  }
  afterAll(async () => {
    target.drop()
    await database?.drop()
  })

  it('everything importable is imported, and the ledger balances', () => {
    expect(result.audit?.findings).toEqual([])
    const left = [...result.report.tables].flatMap(([table, { skipped }]) =>
      skipped === 0 ? [] : [[table, skipped]],
    )
    expect(Object.fromEntries(left)).toEqual({ tokens: 1, redemptions: 1 })
  })

  it('the report counts what was cut or left out', () => {
    const counts = Object.fromEntries([...result.report.notes].map(([code, { count }]) => [code, count]))
    expect(counts).toMatchObject({
      'figures-too-large': 8,
      'user-binding-dropped': 1,
      'token-key-repeated': 1,
      'code-repeated': 1,
    })
    const dropped = result.report.notes.get('user-binding-dropped')?.examples
    expect(dropped).toMatchObject([{ id: 5, detail: 'access_token stays with user 4' }])
  })

  it('each service account of a channel becomes a key, and so do the readable parts of a broken list', async () => {
    const previews = await look(({ db }) => db.selectFrom('channels').select(['id', 'key_preview']).execute())
    const found = Object.fromEntries(previews.map(({ id, key_preview: preview }) => [id, preview]))
    expect(found).toMatchObject({ 4: '{***} +1', 5: '{***} +1', 6: '{***}' })
  })

  it('the usage of the imported log can be summed', async () => {
    await look(({ db }) => rollUpUsage(db, { nowSeconds: 36_000 }))
  })

  it('imported times are valid dates, and the sum of token counts is exact', async () => {
    const rows = await look(({ db }) =>
      db.selectFrom('logs').select(['created_at', 'prompt_tokens']).orderBy('id').execute(),
    )
    const times = rows.map(({ created_at: at }) => new Date(at * 1000).getUTCFullYear())
    expect(times).toEqual([1970, 1970, 1970, 9999])
    expect(rows.reduce((sum, row) => sum + row.prompt_tokens, 0)).toBeLessThan(Number.MAX_SAFE_INTEGER)
  })
})

describe('an import of rows with an impossible id', () => {
  it.each([0n, -5n, 2n ** 51n, MOST])('the id %s is refused with one line', async (id) => {
    const odd = await sqliteSource({ tables: { users: [{ id, username: 'odd', password: '' }] } })
    const target = makeTarget()
    const run = { args: ['--from', odd.place], folder: target.folder }
    const { code, output, errors } = await runInProcess('import', run)
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toBe(
      `${odd.place} cannot be imported: its table users has a row with the id ${id}, and ids are whole numbers from 1 to 2251799813685247.\n`,
    )
    target.drop()
    await odd.drop()
  })
})
