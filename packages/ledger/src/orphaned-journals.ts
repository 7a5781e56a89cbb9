import { setTimeout as sleep } from 'node:timers/promises'
import { noUsageJson } from '@tollgate/billing/buckets'
import type { Alarm } from './core/command.ts'
import type { Journal, OrphanedJournal } from './away-journal.ts'
import type { EndOfCall } from './journal-line.ts'
import type { SettleInput } from './inputs.ts'

/**
 * `open`: the instance with the hold has not been declared dead yet. `absent`: the call was released, or its
 * entry was cleaned.
 */
export type HoldOutcome = 'open' | 'recovered' | 'settled' | 'absent'

export interface OrphanedJournalsParts {
  readonly journal: Journal
  readonly fateOf: (holdId: string) => Promise<HoldOutcome>
  readonly settle: (input: SettleInput) => Promise<unknown>
  readonly onAlarm: (alarm: Alarm) => void
}

/** Polling interval. The other instance is recovered at most half a minute after its last heartbeat. */
const LOOK_AGAIN_MS = 1_000

/**
 * Submits the journals of processes that have ended. It waits until their holds are recovered, like those of
 * any dead process, and then settles, which writes the difference as a correction. Safe to repeat. The
 * returned function stops it; the rest is left for the next start.
 */
export function submitOrphanedJournals(parts: OrphanedJournalsParts): () => Promise<void> {
  const ending = new AbortController()
  const work = takeUpAll(parts, ending.signal).catch((error: unknown) => {
    if (ending.signal.aborted) return
    parts.onAlarm({
      type: 'operation_failed',
      detail: `a journal stays for the next start: ${String(error)}`,
    })
  })
  return () => {
    ending.abort()
    return work
  }
}

async function takeUpAll(parts: OrphanedJournalsParts, signal: AbortSignal): Promise<void> {
  for (const orphan of await parts.journal.adopt()) await takeUp(orphan, parts, signal)
}

async function takeUp(
  orphan: OrphanedJournal,
  parts: OrphanedJournalsParts,
  signal: AbortSignal,
): Promise<void> {
  if (orphan.unreadable > 0)
    parts.onAlarm({
      type: 'operation_failed',
      detail: `${orphan.unreadable} lines of a journal cannot be read; recovery charged their calls by the last checkpoint`,
    })
  for (const end of orphan.ends) await finish(end, parts, signal)
  await orphan.remove()
}

async function finish(
  end: EndOfCall,
  { fateOf, settle }: OrphanedJournalsParts,
  signal: AbortSignal,
): Promise<void> {
  // When the server is down again, the outcome is unknown: keep polling.
  const look = (): Promise<HoldOutcome> => fateOf(end.input.holdId).catch(() => 'open')
  let fate = await look()
  for (; fate === 'open'; fate = await look()) await sleep(LOOK_AGAIN_MS, undefined, { signal, ref: false })
  if (fate === 'recovered') await settle(asSettlement(end))
}

/** A release becomes a settlement of 0, because recovery has charged the checkpoint. */
function asSettlement({ type, input }: EndOfCall): SettleInput {
  return type === 'settle' ? input : { ...input, amount: 0n, flags: [], usageJson: noUsageJson }
}
