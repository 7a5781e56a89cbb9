import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recompute } from '@tollgate/billing/recompute'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { beginningOf } from '../src/process-identity.ts'
import { type Node, type Town, fallSilent, openTown, servers } from './support/nodes.ts'

const CALLS = 20
const USER = accountId('user', 1)
const numbers = Array.from({ length: CALLS }, (_, index) => index)
const settled = (index: number) => {
  const holdId = `call-${index}`
  return { holdId, amount: 30n, flags: [], usageJson: '', channelId: 3, log: sampleLog(holdId) }
}

/** Tests that settlements and releases made while the database is down survive the end of their process. */
describe.each(servers)('the journal on $label', (server) => {
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

  /** Settles every call except the last one, which is released. */
  async function endAllWhileAway(): Promise<readonly Promise<unknown>[]> {
    await proxy.goDown()
    const ends = numbers.map((index) =>
      index === CALLS - 1
        ? away.ledger.release({ holdId: `call-${index}` })
        : away.ledger.settle(settled(index)),
    )
    await expect.poll(linesOnDisk).toBe(CALLS)
    // `journaled` counts a line only after fsync, which is later than the line is readable.
    await expect.poll(() => away.ledger.health()).toMatchObject({ isWritable: false, journaled: CALLS })
    return ends
  }

  /** Simulates a killed process: renames its files so that they carry the id of a process that has ended. */
  async function die(ends: readonly Promise<unknown>[]): Promise<void> {
    for (const end of ends) void end.catch(() => undefined)
    await away.die()
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    for (const name of readdirSync(folder))
      renameSync(join(folder, name), join(folder, name.replace(/^[\d.]+/, String(gone))))
  }

  it('is empty again when the server is back, and every operation is in the ledger once', async () => {
    const ends = await endAllWhileAway()
    await proxy.comeBack()
    await Promise.all(ends)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect(away.ledger.health()).toMatchObject({ isWritable: true, journaled: 0 })
    expect(await judge.ledger.balance(USER)).toMatchObject({ used: 30n * 19n, reserved: 0n })
  })

  it('is submitted by the next process, and its calls are charged exactly their cost, once', async () => {
    await die(await endAllWhileAway())
    const next = await town.enter('next', town.database.dsn, folder)
    const another = await town.enter('another', town.database.dsn, folder)
    // The other node has not been declared dead yet.
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
      .innerJoin('price', 'price.hash', 'entry.price_hash')
      .select(['price.content', 'entry.usage_json'])
      .where('entry.op_key', '=', `correction:call-${CALLS - 1}`)
      .executeTakeFirstOrThrow()
    // The released call costs nothing, and its entry recomputes to 0.
    expect(released.usage_json).toBe('{}')
    expect(recompute(released.content, released.usage_json ?? '')).toBe(0n)
    console.log(`${server.label}: ${CALLS} ends of calls taken up, 0 lost, 0 twice`)
  })

  it('reports a truncated last line, and its call is charged the checkpoint', async () => {
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

  it('is left alone while its process is running', async () => {
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
