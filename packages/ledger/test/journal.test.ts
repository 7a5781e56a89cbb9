import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recompute } from '@tollgate/billing/recompute'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/ledger.ts'
import { beginningOf } from '../src/process-mark.ts'
import { type Node, type Town, fallSilent, openTown, servers } from './support/nodes.ts'

const CALLS = 20
const USER = accountId('user', 1)
const numbers = Array.from({ length: CALLS }, (_, index) => index)
const settled = (index: number) => {
  const holdId = `call-${index}`
  return { holdId, amount: 30n, flags: [], usageJson: '', channelId: 3, log: sampleLog(holdId) }
}

/** What ends calls while the database is away survives the process that noted it. */
describe.each(servers)('the journal of what $label could not take yet', (server) => {
  let folder: string
  let town: Town
  let proxy: TcpProxy
  let away: Node
  let judge: Node

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
    town = await openTown(server)
    judge = await town.enter('judge')
    const url = new URL(town.database.dsn)
    proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `${proxy.host}:${proxy.port}`
    away = await town.enter('away', url.href, folder)
    await judge.ledger.credit({ key: 'gift:new:1', account: USER, amount: 100_000n })
    const call = { userAccount: USER, amount: 100n, ceiling: 100n, priceJson: samplePriceJson }
    for (const index of numbers) await away.ledger.reserve({ ...call, holdId: `call-${index}` })
    for (const index of numbers) await away.ledger.checkpoint({ holdId: `call-${index}`, amount: 7n })
  })
  afterEach(async () => {
    expect((await judge.ledger.audit()).findings).toEqual([])
    await town.leave()
    await proxy.close()
    rmSync(folder, { recursive: true })
  })

  const linesOnDisk = (): number =>
    readdirSync(folder).reduce(
      (lines, name) => lines + readFileSync(join(folder, name), 'utf8').split('\n').length - 1,
      0,
    )

  /** Every call but the last is settled, the last one released. */
  async function endAllWhileAway(): Promise<readonly Promise<unknown>[]> {
    await proxy.goDown()
    const ends = numbers.map((index) =>
      index === CALLS - 1
        ? away.ledger.release({ holdId: `call-${index}` })
        : away.ledger.settle(settled(index)),
    )
    await expect.poll(linesOnDisk).toBe(CALLS)
    // The writer counts a line once the disk has confirmed it, which is later than it can be read.
    await expect.poll(() => away.ledger.health()).toMatchObject({ isWritable: false, journaled: CALLS })
    return ends
  }

  /** As if its process had been killed: what it left has the number of a process that is gone. */
  async function die(ends: readonly Promise<unknown>[]): Promise<void> {
    for (const end of ends) void end.catch(() => undefined)
    await away.die()
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    for (const name of readdirSync(folder))
      renameSync(join(folder, name), join(folder, name.replace(/^[\d.]+/, String(gone))))
  }

  it('is empty again when the server is back, and everything is in the books once', async () => {
    const ends = await endAllWhileAway()
    await proxy.comeBack()
    await Promise.all(ends)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect(away.ledger.health()).toMatchObject({ isWritable: true, journaled: 0 })
    expect(await judge.ledger.balance(USER)).toMatchObject({ used: 30n * 19n, reserved: 0n })
  })

  it('is taken up by the next process: its calls are charged exactly what they cost, once', async () => {
    await die(await endAllWhileAway())
    const next = await town.enter('next', town.database.dsn, folder)
    const another = await town.enter('another', town.database.dsn, folder)
    // Nobody knows yet that the other one is dead.
    expect(await judge.ledger.gauges()).toMatchObject({ openHolds: CALLS })
    await fallSilent(judge.store, 'away')
    await Promise.all([next, another, judge].map(({ ledger }) => ledger.rollUp()))
    await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toEqual([])
    expect(await judge.ledger.balance(USER)).toMatchObject({ used: 30n * 19n, reserved: 0n, debt: 0n })
    const rows = await judge.store.db
      .selectFrom('entry')
      .select(['kind', 'amount'])
      .where('kind', 'in', ['consume', 'correction'])
      .execute()
    const sums = Map.groupBy(rows, ({ kind }) => kind)
    expect(sums.get('consume')?.map(({ amount }) => amount)).toEqual(Array(CALLS).fill(7n))
    expect(sums.get('correction')).toHaveLength(CALLS)
    const logs = await judge.store.db.selectFrom('logs').select('quota').where('quota', '=', 30n).execute()
    expect(logs).toHaveLength(CALLS - 1)
    const released = await judge.store.db
      .selectFrom('entry')
      .select(['price_json', 'usage_json'])
      .where('op_key', '=', `correction:call-${CALLS - 1}`)
      .executeTakeFirstOrThrow()
    // The released call cost nothing, and whoever computes its price again finds the same.
    expect(released.usage_json).toBe('{}')
    expect(recompute(released.price_json ?? '', released.usage_json ?? '')).toBe(0n)
    console.log(`${server.label}: ${CALLS} ends of calls taken up, 0 lost, 0 twice`)
  })

  it('with a last line cut off leaves that call to its checkpoint, and says so', async () => {
    await die(await endAllWhileAway())
    const [name = ''] = readdirSync(folder)
    const path = join(folder, name)
    truncateSync(path, readFileSync(path).length - 5)
    await fallSilent(judge.store, 'away')
    await judge.ledger.rollUp()
    const next = await town.enter('next', town.database.dsn, folder)
    await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toEqual([])
    expect(next.alarms).toContainEqual(
      expect.objectContaining({ detail: expect.stringContaining('1 lines of a journal cannot be read') }),
    )
    expect(await judge.ledger.balance(USER)).toMatchObject({ used: 30n * 19n + 7n, reserved: 0n })
  })

  it('of a process that lives is left alone', async () => {
    const ends = await endAllWhileAway()
    const [name = ''] = readdirSync(folder)
    const living = name.replace(/^[\d.]+/, `${process.ppid}.${beginningOf(process.ppid)}`)
    renameSync(join(folder, name), join(folder, living))
    await town.enter('next', town.database.dsn, folder)
    expect(readdirSync(folder)).toEqual([living])
    renameSync(join(folder, living), join(folder, name))
    await proxy.comeBack()
    await Promise.all(ends)
    await expect.poll(() => readdirSync(folder)).toEqual([])
  })
})
