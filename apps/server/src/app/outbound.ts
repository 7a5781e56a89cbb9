import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import { removeExpired } from '@tollgate/store/accounts/remove-expired'
import type { Store } from '@tollgate/store/database/open-store'
import { removeEndedWork } from '@tollgate/store/operations/outbox'
import type { Config } from '../config/index.ts'
import type { Job, JobsLog } from '../jobs/job.ts'
import { type Deliverer, OutboxWorker } from '../jobs/outbox-worker.ts'
import { mailDeliverer } from '../mail/deliver-mail.ts'
import { type MailHealth, openMailHealth } from '../mail/mail-health.ts'
import { type Mailer, type MailSettings, openMailer } from '../mail/mailer.ts'
import type { ConnectToMailServer } from '../mail/smtp.ts'
import { isCopyAlert } from '../services/alert/copy-alert.ts'
import { alertDeliverer } from '../services/alert/send.ts'
import { accountChangeDeliverer } from '../services/account-safety/deliver.ts'
import { recordQuotaChange } from '../services/admin-user/quota-record.ts'
import { openChanges } from '../services/change.ts'
import { type SeededRandom, openSeededRandom } from '../services/account/seeded-random.ts'
import { giveCredit } from '../services/credit/credit.ts'
import { type OneTimeCodes, openOneTimeCodes } from '../services/mail/codes.ts'
import { serveCodeRequest } from '../services/mail/request-code.ts'
import { serveResetRequest } from '../services/mail/request-reset.ts'
import { sender } from '../services/mail/rules.ts'
import { webhookDeliverer } from '../services/notify/deliver-webhook.ts'
import { watchBalances } from '../services/notify/watch-balances.ts'
import { type Outbox, openOutbox, outboxContext } from '../services/outbox/outbox.ts'
import type { Options, Services } from '../services/services.ts'
import { giveWelcome } from '../services/session/welcome.ts'

export interface OutboundParts {
  readonly config: Config
  readonly store: Store
  readonly ledger: Ledger
  readonly clock: Clock
  readonly cipher: Cipher
  readonly egress: Egress
  readonly connectToMailServer: ConnectToMailServer
  readonly settings: Options
  readonly notices: Services['notices']
  readonly log: JobsLog
  readonly installation: { readonly isConfirmed: boolean }
}

/**
 * Work done after a response was sent: emails, rewards, notifications. All of it is stored in the database
 * and survives a restart.
 */
export interface Outbound {
  /** Members that are added to the other services. */
  readonly services: {
    readonly outbox: Outbox
    readonly codes: OneTimeCodes
    readonly mailer: Mailer
    readonly mailHealth: MailHealth
    readonly seededRandom: SeededRandom
  }
  readonly jobs: readonly Job[]
  close(): Promise<void>
}

const HOUR_MS = 3_600_000
const WATCH_EVERY_MS = 2000
/** How long finished work is kept. Until then the same cause produces no second message. */
const REMEMBERED_MS = 90 * 24 * HOUR_MS

export function openOutbound(parts: OutboundParts): Outbound {
  const { config, store, clock, cipher, settings, log } = parts
  const { db } = store
  const codes = openOneTimeCodes({ store: db, clock, key: config.keys.session })
  const mailer = openMailer(() => mailSettings(settings), parts.connectToMailServer)
  const mailHealth = openMailHealth({
    room: mailer,
    clock,
    settingsKey: () => JSON.stringify(mailSettings(settings)),
    log,
  })
  const outbox = openOutbox({ store: db, clock, cipher, onAdded: () => worker.wake() })
  const { ledger, notices } = parts
  const desk = { store: db, clock, ledger, options: settings, codes, outbox, notices }
  const changes = { ...desk, ...openChanges(desk) }
  const worker = new OutboxWorker({
    store: db,
    clock,
    log,
    open: ({ cause, payload }): unknown => JSON.parse(cipher.decrypt(payload, outboxContext(cause))),
    isHeld: (work) => !parts.installation.isConfirmed && reachesOutside(work),
    deliverers: {
      mail: mailDeliverer({ room: mailer, clock, siteName: () => settings.get('SystemName') }),
      alert: alertDeliverer({ clock, options: settings, egress: parts.egress, mailer }),
      webhook: webhookDeliverer({ store: db, options: settings, cipher, egress: parts.egress }),
      welcome: repeatable((work) => giveWelcome(desk, work.payload)),
      credit: { ...repeatable((work) => giveCredit(desk, work.payload)), isNeverGivenUp: true },
      'code-request': repeatable((work) => serveCodeRequest(desk, work)),
      'account-change': accountChangeDeliverer({ ...desk, mailer }),
      'quota-change': {
        ...repeatable((work) => recordQuotaChange(changes, work)),
        isNeverGivenUp: true,
      },
      'reset-request': repeatable((work) => serveResetRequest(desk, work)),
    },
  })
  const prune: Job = {
    name: 'prune-correspondence',
    everyMs: HOUR_MS,
    runs: 'once',
    run: async () => {
      await removeExpired(db, 'one_time_codes', clock.nowMs())
      await removeExpired(db, 'email_undos', clock.nowMs())
      await removeEndedWork(db, clock.nowMs() - REMEMBERED_MS)
    },
  }
  const watch: Job = {
    name: 'watch-balances',
    everyMs: WATCH_EVERY_MS,
    runs: 'once',
    run: watchBalances(desk),
  }
  // Picks up rewards, emails and notifications that an earlier process left in the queue.
  worker.wake()
  return {
    services: { outbox, codes, mailer, mailHealth, seededRandom: openSeededRandom(config.keys.session) },
    jobs: [prune, watch],
    close: () => worker.close(),
  }
}

/** Kinds of work that write to people or servers outside. Others only change the database. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'mail',
  'alert',
  'webhook',
  'account-change',
  'code-request',
  'reset-request',
])

/** The alert that says that the database is a copy is sent all the same. */
function reachesOutside({ kind, payload }: { readonly kind: string; readonly payload: unknown }): boolean {
  return OUTSIDE.has(kind) && !(kind === 'alert' && isCopyAlert(payload))
}

/** Wraps work that may be done twice without harm. */
function repeatable(serve: (work: { cause: string; payload: unknown }) => Promise<void>): Deliverer {
  return {
    isRepeatable: true,
    deliver: async (work) => {
      await serve(work)
      return { type: 'done' }
    },
  }
}

const SMTPS_PORT = 465

function mailSettings(options: Options): MailSettings {
  const password = options.get('SMTPToken')
  return {
    host: options.get('SMTPServer'),
    port: options.get('SMTPPort'),
    isSecure: options.get('SMTPSSLEnabled') || options.get('SMTPPort') === SMTPS_PORT,
    user: password === '' ? '' : options.get('SMTPAccount'),
    password,
    from: sender(options),
    siteName: options.get('SystemName'),
  }
}
