import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import type { Store } from '@tollgate/store/database/open-store'
import { openNewStore } from '@tollgate/testkit/new-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutboxWorker } from '../../src/jobs/outbox-worker.ts'
import { openChanges } from '../../src/services/change.ts'
import { openSiteSettings } from '../../src/snapshots/site-settings.ts'
import { type Outbox, openOutbox, outboxContext } from '../../src/services/outbox/outbox.ts'
import { createAccount } from '../../src/services/session/create-account.ts'
import { openPasswords } from '../../src/services/session/passwords.ts'
import { giveWelcome } from '../../src/services/session/welcome.ts'
import { emptyUser } from './user-row.ts'

/**
 * A registration gives three credits and writes three log rows. The process dies before each of these steps
 * in turn.
 */
const WORTH = { QuotaForNewUser: 1000, QuotaForInvitee: 200, QuotaForInviter: 30 } as const
const STEPS = 3
const INVITER = 5
const cipher = openCipher(Buffer.alloc(32, 7))

let store: Store
let ledger: Ledger
let clock: ManualClock
let outbox: Outbox
beforeEach(async () => {
  store = await openNewStore({ sqlitePath: ':memory:' })
  clock = new ManualClock()
  ledger = await openLedger({ store, clock })
  outbox = openOutbox({ store: store.db, clock, cipher, onAdded: () => undefined })
  const inviter = { ...emptyUser, id: INVITER, username: 'inviter', username_key: 'inviter' }
  await store.db
    .insertInto('users')
    .values({ ...inviter, aff_code: 'INVITED1' })
    .execute()
})
afterEach(async () => {
  await ledger.close()
  await store.close()
})

function optionRow([key, value]: [string, number]) {
  return { key, value: String(value), version: 1, updated_ms: 0, updated_by: 0 }
}

const died = () => Promise.reject(new Error('the process died here'))

/** A ledger that fails every credit from the given one on, as if the process had died. */
function dyingAt(step: number): Ledger {
  let credits = 0
  return { ...bound(ledger), credit: (input) => (++credits > step ? died() : ledger.credit(input)) }
}

function bound(whole: Ledger): Ledger {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test.each(Array.from({ length: STEPS + 1 }, (_, step) => step))(
  'each credit is given exactly once although the process died after %i credits',
  async (step) => {
    await store.db.insertInto('options').values(Object.entries(WORTH).map(optionRow)).execute()
    const options = await openSiteSettings({ db: store.db, cipher, log: { error: () => undefined } })
    const notices = { publish: async () => undefined }
    const id = await createAccount(
      {
        store: store.db,
        clock,
        cipher,
        options,
        outbox,
        ledger: dyingAt(step),
        notices,
        ...openChanges({ store: store.db, clock, notices }),
        passwords: openPasswords(),
        guesses: { begin: () => died() },
        networks: { has: () => died(), add: () => died() },
        humanCheck: { require: async () => undefined },
        isDefaultTokenMade: false,
      },
      { username: 'newcomer', displayName: '', passwordHash: '', affCode: 'INVITED1' },
    )
    const parts = { store: store.db, ledger, clock, options }
    const worker = new OutboxWorker({
      store: store.db,
      clock,
      log: { info: () => undefined, error: () => undefined },
      open: ({ cause, payload }): unknown => JSON.parse(cipher.decrypt(payload, outboxContext(cause))),
      deliverers: {
        welcome: {
          isRepeatable: true,
          deliver: async ({ payload }) => {
            await giveWelcome(parts, payload)
            return { type: 'done' }
          },
        },
      },
    })
    await worker.settle()
    await worker.settle()
    await worker.close()
    const [own, invited] = [accountId('user', id), accountId('affiliate', INVITER)]
    expect((await ledger.balance(own))?.remaining).toBe(1200n)
    expect((await ledger.balance(invited))?.remaining).toBe(30n)
    const rows = await store.db.selectFrom('logs').select(['content', 'other']).orderBy('id').execute()
    expect(rows.map(({ content }) => content)).toEqual(['', '', ''])
    expect(rows.map(({ other }): unknown => JSON.parse(other))).toEqual([
      { event: 'gift_new_user', quota: WORTH.QuotaForNewUser },
      { event: 'gift_invitee', quota: WORTH.QuotaForInvitee },
      { event: 'gift_inviter', quota: WORTH.QuotaForInviter },
    ])
  },
)
