import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openEgress } from '@tollgate/egress/open-egress'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import { randomToken } from '@tollgate/kit/ids'
import { openCipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { providers } from '@tollgate/providers/index'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { isSetUp } from '@tollgate/store/accounts/setup'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Logger } from 'pino'
import { buildJournals } from './build-journals.ts'
import { findDataFolder } from './journal-folder.ts'
import { type Base, noticesOf } from './base.ts'
import { openChannelOperations } from './channel-jobs.ts'
import { allJobs } from './jobs.ts'
import { openPlanes } from './planes.ts'
import { openCoordination } from './coordination.ts'
import { type Outbound, openOutbound } from './outbound.ts'
import { encryptChannels } from './encrypt-channels.ts'
import { openInstallation } from './installation.ts'
import { findOwnInstallation } from './installation-id.ts'
import { moveAlertReceivers } from './move-alert-receivers.ts'
import { openLimits } from './limits.ts'
import { openLogs } from './log-database.ts'
import { createLog } from './logging.ts'
import { openMailDestinations } from './mail-destinations.ts'
import { openSharedNotices, connectRecalls } from './shared-database.ts'
import { requireSameSecret } from './same-secret.ts'
import type { Parent } from './parent.ts'
import { type OpenSnapshots, openSnapshots } from '../snapshots/open-snapshots.ts'
import { type Config, setTimeZone } from '../config/index.ts'
import { openJobRunLog } from '../jobs/job-run-log.ts'
import { noteChargesJob } from '../jobs/note-charges.ts'
import { noteMembersJob } from '../jobs/note-members.ts'
import { noteModelsJob } from '../jobs/note-models.ts'
import { noteNodeJob } from '../jobs/note-node.ts'
import { openJobs } from '../jobs/open-jobs.ts'
import { neverLeader, seekLeadership } from '../jobs/leadership.ts'
import { openTokens } from '../relay/access-tokens.ts'
import type { TaskServices } from '../relay/app.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { openTaskNotifier } from '../services/notify/task-notifier.ts'
import { type Passwords, openPasswords } from '../services/session/passwords.ts'
import type { SignInAddresses } from '../services/oauth/addresses.ts'
import { type SiteSettings, openSiteSettings } from '../snapshots/site-settings.ts'
import { openKnownNetworks } from '../services/session/known-networks.ts'
import { version } from '../version.ts'
import { creditSetupRoot } from '../services/setup/root-credit.ts'
import { openSetupToken } from '../services/setup/setup-token.ts'

/** A call may be on its way on a connection that was accepted last. */
const LAST_CALLS_MS = 1_000

export interface RunningServer {
  /** `http://host:port` */
  readonly address: string
  readonly store: Store
  readonly ledger: Ledger
  readonly snapshots: OpenSnapshots
  /** Shuts down gracefully. When `hurry` resolves, the wait for open streams ends early. */
  close(options?: { drainMs?: number; hurry?: Promise<void> }): Promise<void>
}

export interface Overrides {
  readonly clock?: Clock
  readonly log?: Logger
  /**
   * Called when the database can no longer be written. The process must then end with a nonzero exit code.
   */
  readonly onFatal?: (error: Error) => void
  /** Test servers that stand in for the real sign-in providers. */
  readonly providers?: SignInAddresses
  readonly passwords?: Passwords
  readonly openStore?: typeof openStore
  readonly parent?: Parent
  /** Folder of the built console. */
  readonly consolePath?: string
}

const CONSOLE_PATH = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** Opens every part in the order of its dependencies and starts listening last. */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<RunningServer> {
  const { clock = systemClock, log = createLog(config), onFatal = () => undefined } = overrides
  const { parent } = overrides
  const coordination = parent?.coordination ?? (await openCoordination(config, { clock, log }))
  const openOurs = parent?.openStore ?? openOwnStore(overrides.openStore ?? openStore)
  const store = await openOurs(config, onFatal)
  const cipher = openCipher(config.keys.cipher)
  await prepareSecrets(config, { store, cipher, log }).catch(async (error: unknown) => {
    await store.close()
    await coordination.close()
    throw error
  })
  const logStore = await openLogs(config, store, log).catch(async (error: unknown) => {
    await store.close()
    await coordination.close()
    throw error
  })
  const nodeId = parent?.nodeId ?? randomToken(12)
  const onAlarm = (alarm: unknown): void => log.error({ alarm }, 'the ledger audit raised an alarm')
  const databaseNotices = await openSharedNotices({ config, store, coordination, clock, nodeId, log })
  const ledger = await openLedger({
    store,
    clock,
    instanceId: nodeId,
    onAlarm,
    ...buildJournals(config, store),
    recalls: connectRecalls({
      config,
      parent,
      coordination,
      notices: databaseNotices ?? coordination.notices,
    }),
  })
  const egress = openEgress({ allowedAddresses: config.egressAllow })
  const installation = await openInstallation({
    ...config,
    db: store.db,
    own: findOwnInstallation(config),
    isEmbedded: !isServerDsn(config.sqlDsn),
    clock,
    log,
  })
  const base: Base = {
    config,
    clock,
    log,
    store,
    logs: logStore?.db,
    ledger,
    coordination,
    cipher,
    egress,
    accessTokens: openTokens({ egress, clock }),
    mediaEgress: openEgress({ allowedAddresses: [] }),
    notices: databaseNotices ?? coordination.notices,
    limits: openLimits(config, coordination, clock),
    networks: openKnownNetworks({ store: store.db, clock, key: config.keys.session }),
    setupToken: openSetupToken({ chosen: config.setupToken, sessionKey: config.keys.session }),
    passwords: overrides.passwords ?? openPasswords(),
    providers: overrides.providers,
    consolePath: overrides.consolePath ?? CONSOLE_PATH,
    installation,
    parent,
    tracing: await openTracing(config, log),
    state: { isReady: false, isStopping: false, address: '' },
  }
  const settings = await openSiteSettings({
    db: store.db,
    cipher,
    log,
    onRead: (read) => setTimeZone(read.get('TimeZone')),
  })
  const snapshots = await openSnapshots({ ...base, db: store.db, providers, settings })
  await creditSetupRoot({ store: store.db, ledger })
  const leadership = config.nodeType === 'master' ? await seekLeadership(turnOf(base, nodeId)) : neverLeader
  const connectToMailServer = await openMailDestinations({ ...base, db: store.db, settings })
  const outbound = openOutbound({
    ...base,
    settings,
    notices: noticesOf(base),
    connectToMailServer,
  })
  const { outbox } = outbound.services
  const renewals = { ...base, db: store.db }
  const desk = openChannelOperations({
    ...base,
    store: store.db,
    notices: noticesOf(base),
    snapshots,
    outbox,
    isConfirmed: () => installation.isConfirmed,
    renewals,
    learning: { ...base, ttlCache: base.coordination.ttlCache },
  })
  const jobNotes = openJobRunLog({ db: store.db, clock, notices: base.notices, log })
  const tasks = openTasks({ ...base, settings, outbound })
  const parts = { ...base, settings, snapshots, leadership, outbound, desk, jobNotes, tasks }
  const { edge, relay, metrics } = await openPlanes(parts)
  const { host, port } = { ...config, ...parent }
  const address = await edge.listen({ host, port, isShared: parent !== undefined })
  const jobs = openJobs({
    jobs: [
      ...allJobs(parts, relay),
      noteChargesJob({ ...parts, db: store.db, charges: metrics.charges }),
      noteMembersJob({ ...parts, db: store.db, members: metrics.members }),
      noteModelsJob({ ...parts, db: store.db, models: metrics.models }),
      noteNodeJob({
        ...parts,
        db: store.db,
        id: nodeId,
        version,
        dataFolder: findDataFolder(config.sqlitePath),
        relay,
        recent: metrics.recent,
      }),
    ],
    mayRunOnce: () => leadership.isOurs,
    clock,
    log,
    notes: jobNotes,
  })
  Object.assign(base.state, { isReady: true, address })
  await announceSetup(base)

  async function close({
    drainMs = config.drainMs,
    hurry = never,
  }: Parameters<RunningServer['close']>[0] = {}) {
    Object.assign(base.state, { isReady: false, isStopping: true })
    if (drainMs > 0 && config.drainNoticeMs > 0) {
      const pause = (ms: number) => Promise.race([sleep(ms), hurry])
      edge.announceStop()
      await pause(config.drainNoticeMs)
      edge.stopAccepting()
      await pause(LAST_CALLS_MS)
    }
    edge.stopListening()
    await Promise.race([relay.drain(drainMs), hurry.then(() => relay.drain(0))])
    await Promise.race([edge.close(drainMs), hurry.then(() => edge.close(0))])
    await jobs.close()
    installation.close()
    await databaseNotices?.close()
    await desk.credentialRefresh.close()
    await outbound.close()
    await base.tracing?.close()
    snapshots.close()
    await leadership.close()
    await ledger.close()
    await logStore?.close()
    await store.close()
    await coordination.close()
    await base.egress.close()
    await base.mediaEgress.close()
  }

  return { address, store, ledger, snapshots, close }
}

const never = new Promise<void>(() => undefined)

/** Logs the setup instruction. With several workers only the first one does it. */
async function announceSetup({ store, log, setupToken, state, parent }: Base): Promise<void> {
  if (parent?.isFirst === false || (await isSetUp(store.db))) return
  log.warn(setupToken.instruction(state.address))
}

function openOwnStore(open: typeof openStore): NonNullable<Parent['openStore']> {
  return ({ sqlDsn: dsn, sqlPooler, sqlDirectDsn: directDsn, sqlitePath, nodeType }, onFatal) =>
    open({
      dsn,
      isPooled: sqlPooler === 'transaction',
      directDsn,
      sqlitePath,
      mayMigrate: nodeType === 'master',
      onFatal,
      keepsRoom: true,
    })
}

/**
 * Rejects a database whose secrets were encrypted with another key, and encrypts or moves what earlier versions stored
 * in another way. In a worker of the embedded database nothing is left to do, because its parent has done it.
 */
async function prepareSecrets(
  { nodeType, sqlitePath: path }: Config,
  { store: { db }, cipher, log }: Pick<Base, 'store' | 'cipher' | 'log'>,
): Promise<void> {
  await requireSameSecret(db, cipher)
  if (nodeType !== 'master') return
  await encryptChannels({ db, cipher, path, log })
  await moveAlertReceivers({ db, cipher, log })
}

function turnOf({ store, clock }: Base, holder: string) {
  return { db: store.db, clock, name: 'jobs', holder }
}

type TaskParts = Base & { readonly settings: SiteSettings; readonly outbound: Outbound }

function openTasks({ store, clock, cipher, state, settings, outbound }: TaskParts): TaskServices {
  const { outbox } = outbound.services
  return {
    db: store.db,
    cipher,
    ownAddress: () => state.address,
    notifier: openTaskNotifier({ store: store.db, clock, outbox, options: settings }),
  }
}
