import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProgram } from '@tollgate/testkit/child-program'
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { openLedger } from '../src/open-ledger.ts'
import { AcknowledgementLog } from './support/acknowledged.ts'

const CHILD = childProgram(new URL('support/load-child.ts', import.meta.url))
const user = accountId('user', 1)
let directory = ''
let path = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-broken-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

/**
 * A file size limit of the shell (`ulimit -f`) simulates a full disk: the write that exceeds it fails inside
 * SQLite.
 */
it.skipIf(process.platform === 'win32')(
  'a disk that fills up stops the process and loses no acknowledged operation',
  async () => {
    const log = new AcknowledgementLog()
    for (const kibibytes of [1_500, 3_000, 4_500]) {
      const script = `ulimit -f ${kibibytes}; exec "${process.execPath}" "${CHILD}" "${path}" ${kibibytes}`
      const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', maxBuffer: 2 ** 28 })
      for (const line of stdout.split('\n').slice(0, -1)) log.add(line)
      expect(status).toBe(3)
      const store = await openStore({ sqlitePath: path })
      const ledger = await openLedger({ store, clock: systemClock })
      expect(await log.differences(store)).toEqual([])
      expect(await ledger.audit()).toMatchObject({ findings: [], holds: 0 })
      await ledger.close()
      await store.close()
    }
    console.log(`3 full disks, ${log.count} acknowledged, 0 lost`)
    expect(log.count).toBeGreaterThan(200)
  },
)

it('while another program locks the file, admissions are refused and settlements wait', async () => {
  const store = await openStore({ sqlitePath: path })
  const ledger = await openLedger({ store, clock: systemClock })
  await ledger.credit({ key: 'gift:new:1', account: user, amount: 1_000n })
  const hold = { userAccount: user, amount: 100n, ceiling: 100n, priceJson: '{}' }
  await ledger.reserve({ ...hold, holdId: 'before' })
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const refused = ledger.reserve({ ...hold, holdId: 'during' })
  const settled = ledger.settle({ holdId: 'before', amount: 40n, flags: [], usageJson: '' })
  expect(await refused).toEqual({ type: 'unavailable' })
  await sleep(50)
  other.exec('rollback')
  other.close()
  expect(await settled).toEqual({ charged: 40n, waived: 0n, late: false })
  expect(await ledger.reserve({ ...hold, holdId: 'after' })).toEqual({ type: 'reserved' })
  await ledger.release({ holdId: 'after' })
  expect(await ledger.balance(user)).toMatchObject({ remaining: 960n, reserved: 0n, used: 40n })
  expect((await ledger.audit()).findings).toEqual([])
  await ledger.close()
  await store.close()
})

it('a ledger whose store has failed refuses admissions and rejects the rest with a problem', async () => {
  let isBroken = false
  const breakIt = (): void => {
    if (isBroken) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
  }
  const store = await openStore({ sqlitePath: path, inline: { before: breakIt } })
  const ledger = await openLedger({ store, clock: systemClock })
  const call = { holdId: 'a', userAccount: user, amount: 0n, ceiling: 10n, priceJson: '{}' }
  await ledger.reserve(call)
  isBroken = true
  const settle = ledger.settle({ holdId: 'a', amount: 5n, flags: [], usageJson: '' })
  await expect(settle).rejects.toMatchObject({ code: 'ledger_unavailable' })
  expect(await ledger.reserve({ ...call, holdId: 'b' })).toEqual({ type: 'unavailable' })
  expect(await ledger.extend({ holdId: 'a', amount: 1n })).toEqual({ type: 'refused' })
  expect(ledger.health().isWritable).toBe(false)
  await ledger.close()
  await store.close()
})
