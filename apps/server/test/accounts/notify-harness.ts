import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { emptyUser } from './user-row.ts'
import { openEgress } from '@tollgate/egress/open-egress'
import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { openNewStore } from '@tollgate/testkit/new-store'
import { OutboxWorker } from '../../src/jobs/outbox-worker.ts'
import { encryptSecret } from '../../src/services/account/setting-text.ts'
import { webhookDeliverer } from '../../src/services/notify/deliver-webhook.ts'
import { openTaskNotifier } from '../../src/services/notify/task-notifier.ts'
import { type BalanceWatch, watchBalances } from '../../src/services/notify/watch-balances.ts'
import { openSiteSettings } from '../../src/snapshots/site-settings.ts'
import { openOutbox, outboxContext } from '../../src/services/outbox/outbox.ts'
import { localhostCertificate, localhostKey, trustLocalhost } from '@tollgate/testkit/localhost-certificate'

/** The real balance watcher, outbox and webhook deliverer, with a test receiver of webhooks. */
export type NotifyHarness = Awaited<ReturnType<typeof openNotifyHarness>>

export const SECRET = 'webhook-canary-secret'
const USER = 7

export interface NotifyHarnessOptions {
  readonly allowedAddresses?: readonly string[]
  /** DSN of a database server to use instead of the embedded database. */
  readonly dsn?: string
  /** Makes this another node over the same database, sharing the user, clock and receiver of that node. */
  readonly beside?: NotifyNode
}
type NotifyNode = { readonly clock: ManualClock; readonly receiver: Receiver }

export async function openNotifyHarness(asked: NotifyHarnessOptions = {}) {
  const { allowedAddresses = ['127.0.0.1'], dsn, beside } = asked
  trustLocalhost()
  const store = await openNewStore({ sqlitePath: ':memory:', ...(dsn !== undefined && { dsn }) })
  const clock = beside?.clock ?? new ManualClock()
  const cipher = openCipher(Buffer.alloc(32, 7))
  const ledger = await openLedger({ store, clock })
  const receiver = beside?.receiver ?? (await openReceiver())
  const egress = openEgress({ allowedAddresses })
  const options = await openSiteSettings({ db: store.db, cipher, log: { error: () => undefined } })
  const outbox = openOutbox({ store: store.db, clock, cipher, onAdded: () => undefined })
  const worker = new OutboxWorker({
    store: store.db,
    clock,
    log: { info: () => undefined, error: () => undefined },
    open: ({ cause, payload }): unknown => JSON.parse(cipher.decrypt(payload, outboxContext(cause))),
    deliverers: { webhook: webhookDeliverer({ store: store.db, options, cipher, egress }) },
  })
  const setting = {
    notify_type: 'webhook',
    quota_warning_threshold: 1000,
    webhook_url: `https://localhost:${receiver.port}/hook`,
    webhook_secret: encryptSecret(cipher, { userId: USER, secret: SECRET }),
    language: 'en',
    notify_tasks: true,
  }
  if (beside === undefined)
    await store.db
      .insertInto('users')
      .values({
        ...emptyUser,
        id: USER,
        username: 'ada',
        username_key: 'ada',
        setting: JSON.stringify(setting),
      })
      .execute()
  const account = accountId('user', USER)
  const watcher = (): BalanceWatch => watchBalances({ store: store.db, clock, outbox, options })
  let operations = 0
  return {
    store,
    clock,
    worker,
    receiver,
    watcher,
    notifier: openTaskNotifier({ store: store.db, clock, outbox, options }),
    ledger,
    give: (amount: bigint) => ledger.credit({ key: `test:${++operations}`, account, amount }),
    /** Runs one call, from its hold to its charge. */
    spend: async (amount: bigint) => {
      const holdId = `call-${++operations}`
      const priceJson = '{}'
      await ledger.reserve({ holdId, userAccount: account, amount, ceiling: amount, priceJson })
      await ledger.settle({ holdId, amount, flags: [], usageJson: '{}' })
    },
    hold: (amount: bigint) =>
      ledger.reserve({
        holdId: `open-${++operations}`,
        userAccount: account,
        amount,
        ceiling: amount,
        priceJson: '{}',
      }),
    causes: () => store.db.selectFrom('outbox').select(['cause', 'state', 'reason']).orderBy('id').execute(),
    close: async () => {
      await worker.close()
      await egress.close()
      if (beside === undefined) await receiver.close()
      await ledger.close()
      await store.close()
    },
  }
}

export interface Received {
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** Responds with the given statuses in order, then with 200. */
async function openReceiver() {
  const received: Received[] = []
  const statuses: number[] = []
  const server = createServer({ key: localhostKey, cert: localhostCertificate }, (request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, text: body })
      return response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : 0,
    received,
    statuses,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function signatureOf(body: string): string {
  return createHmac('sha256', SECRET).update(body).digest('hex')
}
