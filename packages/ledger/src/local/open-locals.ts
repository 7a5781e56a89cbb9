import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../account.ts'
import type { Alarm } from '../core/command.ts'
import type { InstanceState, LedgerStorage, ReenterReason } from '../core/storage.ts'
import { isAnotherAlive, ownMark } from '../process-identity.ts'
import { type Recalls, RecallNotices } from '../recalls.ts'
import { regularly } from '../regularly.ts'
import type { Writer } from '../writer.ts'
import { JournalReserve } from '../journal/reserve.ts'
import { adoptJournals, removeOldJournals } from './adopt-journals.ts'
import { DiskRoom } from './disk-room.ts'
import { LocalInstances } from './local-instances.ts'
import type { JournalOptions, LocalParts, Others } from './open-local.ts'

export interface LocalsParts extends Pick<LocalParts, 'clock' | 'now' | 'onAlarm'> {
  readonly instanceId: string
  readonly storage: LedgerStorage
  readonly writer: Writer
  readonly journal: JournalOptions
  readonly recalls: Recalls | undefined
  /** Called with the number of calls that were charged by their last checkpoint. */
  readonly onRecovered: (calls: number) => void
}

export interface Locals {
  readonly instances: LocalInstances
  /** Whether the disk has no room for further calls. */
  readonly isFull: () => boolean
  /** The database found no room on the disk. */
  readonly noteFull: () => void
  readonly others: Others | undefined
  /** Has other processes return quota of these accounts and ask for each call, for a decision about an account. */
  recall(accounts: readonly AccountId[]): Promise<void>
  close(): Promise<boolean>
}

/** Other processes learn that an account is scarce when they fold calls of it, or ask for more. */
const WITHOUT_NOTICES: Recalls = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  patienceMs: () => 1_500,
}

const REENTERED: Readonly<Record<ReenterReason, string>> = {
  'declared-dead': 'this process was declared dead while it did not answer',
  'set-back': 'the database was set back to an earlier state, without quota that this process was granted',
}

const NO_ROOM = 'new calls are refused, because the disk has no room in'
const ROOM = 'calls are admitted again, because the disk has room in'

const COUNT_MS = 5_000
const ADOPT_MS = 5_000
const HEARTBEAT_MS = 3_000
const REMOVE_MS = 60_000
/** While the disk is full. */
const REMOVE_FULL_MS = 2_000
/** How long a decision waits for other processes to return quota. */
const RECALL_MS_MAX = 1_000
const RECALL_PAUSE_MS = 25
/** Until the database says otherwise. */
const SCARCE_MS = 5_000

/** The calls in memory of this process, and what it does for and with other processes. */
export async function openLocals(parts: LocalsParts): Promise<Locals> {
  const { instanceId, storage, writer, journal, clock, now, onAlarm } = parts
  const { heartbeat } = storage
  const recalls = parts.recalls ?? (heartbeat && WITHOUT_NOTICES)
  let count = await storage.liveInstances()
  const notices = recalls && new RecallNotices(recalls)
  const room = new DiskRoom({
    reserve: new JournalReserve(journal.folder, journal.reserveBytes ?? 0, {
      own: ownMark(),
      isAnotherAlive,
    }),
    isShort: journal.isShortOfRoom ?? (() => false),
    onFull: () => onAlarm({ type: 'store_failed', detail: `${NO_ROOM} ${journal.folder}` }),
    onRoom: () => onAlarm({ type: 'store_returned', detail: `${ROOM} ${journal.folder}` }),
  })
  const others: Others | undefined =
    recalls && notices
      ? { count: () => count, recall: (account) => notices.send(account), patienceMs: recalls.patienceMs }
      : undefined
  const instances = new LocalInstances({
    instanceId,
    storage,
    journal,
    clock,
    now,
    allot: (input) => writer.submit('allot', input),
    giveBack: (input) => writer.submit('giveBack', input),
    busy: (user) => writer.busy(user),
    others,
    onAlarm,
    room,
  })
  room.start()
  heartbeat?.onReentered((id, reason) => {
    onAlarm({ type: 'operation_failed', detail: `${REENTERED[reason]}; it continues under a new id` })
    instances.reenter(id)
  })
  /** Quota that is on its way to a database that does not answer serves nobody. */
  async function giveAllBack(): Promise<void> {
    try {
      await heartbeat?.beat(now())
    } catch {
      return
    }
    await instances.giveAllBack()
  }

  const stopListening = recalls?.subscribe((account) => {
    if (account === undefined) void giveAllBack()
    else instances.noteScarce([{ account, untilMs: clock.nowMs() + SCARCE_MS }])
  })
  const failed =
    (what: string) =>
    (error: unknown): void =>
      onAlarm({ type: 'operation_failed', detail: `${what}: ${String(error)}` })
  /** Only what is over for good: a live process may write on. */
  const isOver = (id: string, state: InstanceState | undefined): boolean =>
    state !== 'alive' && !instances.ids.has(id)
  const adoption = { storage, ...journal, now, onAlarm: onceEach(onAlarm) }
  const adopt = async (): Promise<void> =>
    parts.onRecovered(await adoptJournals(adoption, { isOver, isLate: true }))
  const stops = [
    regularly(REMOVE_MS, () => removeOldJournals(adoption), failed('old journals were not removed')),
    regularly(
      REMOVE_FULL_MS,
      async () => {
        if (room.isFull) await removeOldJournals(adoption, { isRoomNeeded: true })
      },
      () => undefined,
    ),
  ]
  if (others)
    stops.push(
      regularly(
        COUNT_MS,
        async () => {
          count = await storage.liveInstances()
        },
        () => undefined,
      ),
    )
  if (heartbeat) {
    // A failed heartbeat shows in the writer, too, which raises the alarm.
    stops.push(
      regularly(
        HEARTBEAT_MS,
        () => heartbeat.beat(now()),
        () => undefined,
      ),
    )
    stops.push(regularly(ADOPT_MS, adopt, failed('a journal of a process that ended was not folded')))
    await adopt().catch(failed('a journal of a process that ended was not folded'))
  }

  return {
    instances,
    isFull: () => room.isFull,
    noteFull: () => room.noteFull(),
    others,
    recall: async (accounts) => {
      if (!others) return
      const untilMs = performance.now() + RECALL_MS_MAX
      instances.noteScarce(accounts.map((account) => ({ account, untilMs: clock.nowMs() + SCARCE_MS })))
      for (;;) {
        const { waiting } = await writer.submit('recall', { accounts })
        if (waiting.length === 0 || performance.now() >= untilMs) return
        for (const account of waiting) others.recall(account)
        await sleep(RECALL_PAUSE_MS)
      }
    },
    close: async () => {
      stopListening?.()
      for (const stop of stops) stop()
      const isFolded = await instances.close()
      room.close()
      return isFolded
    },
  }
}

/** A journal that was left alone is looked at again and again. */
function onceEach(onAlarm: (alarm: Alarm) => void): (alarm: Alarm) => void {
  const raised = new Set<string>()
  return (alarm) => {
    const text = `${alarm.type} ${alarm.detail}`
    if (raised.has(text)) return
    if (raised.size < ALARMS_MAX) raised.add(text)
    onAlarm(alarm)
  }
}

const ALARMS_MAX = 1_000
