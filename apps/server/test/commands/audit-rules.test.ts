import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@tollgate/kit/clock'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { openStore } from '@tollgate/store/database/open-store'
import { sampleCharge, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printAudit } from '../../src/commands/audit/print-audit.ts'
import { runAudit } from '../../src/commands/audit/run-audit.ts'

const RULES = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11']
const user = accountId('user', 1)

let folder: string
let sound: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-rules-'))
  sound = join(folder, 'sound.db')
  const store = await openStore({ sqlitePath: sound })
  const ledger = await openLedger({ store, clock: systemClock })
  const hold = { userAccount: user, amount: 5_000n, ceiling: 9_000n, priceJson: samplePriceJson }
  await ledger.credit({ key: 'gift:new:1', account: user, amount: 100_000n })
  for (const holdId of ['a', 'b', 'open']) await ledger.reserve({ ...hold, holdId })
  await ledger.settle({
    holdId: 'a',
    amount: sampleCharge,
    flags: [],
    channelId: 3,
    usageJson: sampleUsageJson,
  })
  await ledger.settle({ holdId: 'b', amount: 40n, flags: ['partial'], usageJson: '' })
  await ledger.rollUp()
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function audit(name: string, tampering: string) {
  const sqlitePath = join(folder, `${name}.db`)
  copyFileSync(sound, sqlitePath)
  const database = new DatabaseSync(sqlitePath, { enableForeignKeyConstraints: false })
  database.exec(`pragma ignore_check_constraints = on; ${tampering}`)
  database.close()
  return printAudit(await runAudit({ sqlDsn: '', sqlitePath }))
}

/** The process has 25 units set aside. */
const SET_ASIDE = `update account set remaining = remaining - 25, reserved = reserved + 25 where id = 4;
  insert into allotment (account_id, instance_id, amount, free, open_holds, exposed, budget_since_ms, budget_amount, budget_free)
  select 4, id, 25, 25, 0, 0, 0, 0, 0 from instance;`
/** It folded a part of its journal just now, so that more may follow. */
const FOLDS = `insert into journal (file_id, instance_id, position, open_from, updated_ms)
  select 'a', id, 1, 1, ${Date.now()} from instance;`

/** Removes the constraints of the schema, as in a table that was restored carelessly. */
const BARE = 'create table bare as select * from entry; drop table entry; alter table bare rename to entry;'

describe('npm run audit', () => {
  it('every rule holds for a sound ledger', async () => {
    const lines = await audit('untouched', '')
    for (const rule of RULES)
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${rule} +holds`)))
    expect(lines.at(-1)).toBe('The books balance.')
  })

  it.each([
    ['all of it is free', SET_ASIDE],
    ['a call is in flight', `${SET_ASIDE} update allotment set free = 20, open_holds = 1`],
    ['a journal is being folded', `${SET_ASIDE} ${FOLDS} update allotment set free = 20`],
    [
      'its process is dead',
      `${SET_ASIDE} update allotment set free = 20; update instance set state = 'dead'`,
    ],
  ])('quota that is set aside is in order when %s', async (_what, tampering) => {
    expect((await audit('set-aside', tampering)).at(-1)).toBe('The books balance.')
  })

  it.each([
    ['I1', 'update account set granted = granted + 7 where id = 4'],
    ['I2', 'update account set debt = 7, granted = granted - 7 where id = 4'],
    ['I3', 'update account set granted = granted + 7, remaining = remaining + 7 where id = 4'],
    ['I3', "update hold set amount = amount - 1 where id = 'open'"],
    ['I3', "delete from entry where op_key = 'gift:new:1'"],
    ['I4', 'update account set used = used + 7, remaining = remaining - 7 where id = 4'],
    ['I4', "update totals set used = used + 1 where subject = 'channel:3'"],
    ['I4', "delete from entry where op_key = 'consume:b'"],
    ['I5', `${BARE} update entry set op_key = 'gift:new:1' where op_key = 'consume:b'`],
    ['I6', 'update account set exposed = exposed + 1 where id = 4'],
    ['I6', "update entry set waived = 5 where op_key = 'consume:b'"],
    ['I6', "update entry set flags = 'recovered', note = 'ceiling 39' where op_key = 'consume:b'"],
    ['I7', 'pragma foreign_keys = off; delete from account where id = 4'],
    ['I8', "update hold set id = 'a' where id = 'open'"],
    ['I9', "update price set content = replace(content, '0.075', '0.75')"],
    ['I9', 'delete from price'],
    ['I9', "update entry set usage_json = '{}' where op_key = 'consume:a'"],
    ['I10', "update entry set amount = -40 where op_key = 'consume:b'"],
    ['I10', "update hold set amount = ceiling + 1 where id = 'open'"],
    ['I11', `${SET_ASIDE} update allotment set free = 20`],
  ])('the audit reports a violation of %s after: %s', async (rule, tampering) => {
    const lines = await audit('broken', tampering)
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${rule} +BROKEN`)))
    expect(lines.at(-1)).toMatch(/^\d+ findings\.$/)
  })
})
