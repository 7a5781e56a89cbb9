import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { memoryNotices } from '@tollgate/coordination/memory-notices'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { openNewStore } from '@tollgate/testkit/new-store'
import { expect, test } from 'vitest'
import { StoredKeyring } from '../../src/snapshots/keyring.ts'
import { giveCredit } from '../../src/services/credit/credit.ts'
import { openSiteSettings } from '../../src/snapshots/site-settings.ts'
import { emptyUser } from '../accounts/user-row.ts'

test('an account counts as paid in the relay as soon as a payment is credited', async () => {
  const store = await openNewStore({ sqlitePath: ':memory:' })
  const clock = new ManualClock()
  const ledger = await openLedger({ store, clock })
  const cipher = openCipher(Buffer.alloc(32, 7))
  const options = await openSiteSettings({ db: store.db, cipher, log: { error: () => undefined } })
  await store.db
    .insertInto('users')
    .values({ ...emptyUser, id: 7, username: 'ada', username_key: 'ada' })
    .execute()
  const keyring = new StoredKeyring(store.db)
  await keyring.reloadAll()
  const notices = memoryNotices({ onFailure: () => undefined })
  notices.subscribe(async ({ id }) => keyring.reloadUser(Number(id)))
  const services = {
    store: store.db,
    clock,
    ledger,
    options,
    notices: { publish: (_topic: string, id?: number) => notices.publish({ entity: 'user', id: id ?? 0 }) },
  }
  const other = { event: 'redeem_gift', quota: 5, code_id: 1 }
  const credit = { userId: 7, units: '5', note: '', other, address: '', rebatePercent: 0 }
  await giveCredit(services, { ...credit, key: 'gift:1:7' })
  expect(keyring.owner(7)?.hasPaid).toBe(false)
  // A credit queued by an earlier version, with a sentence for the log.
  await giveCredit(services, { ...credit, key: 'topup:1', content: '使用在线充值成功' })
  expect(keyring.owner(7)?.hasPaid).toBe(true)
  const rows = await store.db.selectFrom('logs').select(['request_id', 'content', 'other']).execute()
  expect(rows).toEqual([
    { request_id: 'gift:1:7', content: '', other: JSON.stringify(other) },
    { request_id: 'topup:1', content: '', other: JSON.stringify(other) },
  ])
  await ledger.close()
  await store.close()
})
