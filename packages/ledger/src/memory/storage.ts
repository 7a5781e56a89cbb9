import { invariant } from '@tollgate/kit/invariant'
import { StoreError } from '@tollgate/store/database/errors'
import { type AuditSource, type OutOfReach, QUIET_MS, auditLedger } from '../core/audit.ts'
import type { CommandContext, Command } from '../core/command.ts'
import { decideBatch } from '../core/decide.ts'
import { consumeKey } from '../core/keys.ts'
import { interruptedBy } from '../core/interrupted.ts'
import type { JournalRange, ReadRange } from '../core/journal-range.ts'
import type {
  FoldReply,
  InstanceState,
  JournalPosition,
  LedgerStorage,
  RecoveryReport,
  Reply,
} from '../core/storage.ts'
import { exposureInFlight, sumOf } from '../core/account-use.ts'
import { foldNow } from '../core/fold-parts.ts'
import { RangeReader } from '../journal/read-range.ts'
import type { Balance } from '../account.ts'
import type { LedgerGauges } from '../ledger.ts'
import type { MemoryTables } from './tables.ts'

/** Runs the ledger core over maps. Entries are kept for ever, and totals are not computed. */
export function memoryStorage(tables: MemoryTables, read: ReadRange = new RangeReader().read): LedgerStorage {
  return {
    run: async (commands, circumstances) => runBatch(tables, commands, circumstances),
    start: async (circumstances) => start(tables, circumstances),
    recover: async (circumstances) => recover(tables, circumstances),
    end: async ({ instanceId }) => {
      tables.instances.set(instanceId, 'ended')
    },
    fold: async (range, circumstances) => fold({ tables, read }, range, circumstances),
    readAllotments: async ({ accounts, fileId }, { instanceId }) => ({
      position: tables.journals.get(fileId)?.position ?? 0,
      rows: accounts.flatMap((id) => tables.allotments(id).filter((row) => row.instanceId === instanceId)),
    }),
    allottedAccounts: async (instanceId) =>
      [...tables.allotmentRows.values()].flatMap((row) =>
        row.instanceId === instanceId ? [row.account] : [],
      ),
    positions: async () => positionsOf(tables),
    statesOf: async (ids) => new Map(ids.flatMap((id) => stateOf(tables, id))),
    liveInstances: async () => [...tables.instances.values()].filter((state) => state === 'alive').length,
    forgetJournal: async (fileId) => {
      tables.journals.delete(fileId)
    },
    balance: async (account) => balanceOf(tables, account),
    rollUp: async () => undefined,
    clean: async () => 0,
    audit: async () => auditLedger(auditSource(tables)),
    gauges: async (nowMs) => gauges(tables, nowMs),
  }
}

interface MemoryParts {
  readonly tables: MemoryTables
  readonly read: ReadRange
}

function runBatch(
  tables: MemoryTables,
  commands: readonly Command[],
  circumstances: CommandContext,
): readonly Reply[] {
  try {
    const { decisions, changes } = decideBatch(tables, commands, circumstances)
    tables.commit(changes)
    return decisions.map((decision) => ({ type: 'decided', decision }))
  } catch (error) {
    if (error instanceof StoreError) throw error
    if (commands.length === 1) return [{ type: 'failed', detail: String(error) }]
    return commands.flatMap((command) => runBatch(tables, [command], circumstances))
  }
}

function start({ instances }: MemoryTables, { instanceId }: CommandContext): void {
  for (const id of instances.keys()) if (instances.get(id) === 'alive') instances.set(id, 'dead')
  instances.set(instanceId, 'alive')
}

function recover(tables: MemoryTables, circumstances: CommandContext): RecoveryReport {
  const isDead = ({ instanceId }: { readonly instanceId: string }): boolean =>
    tables.instances.get(instanceId) !== 'alive'
  const dead = [...tables.holds.values()].filter(isDead)
  const recovered = dead.map(({ id }) => ({ type: 'recover' as const, input: { holdId: id } }))
  const reclaimed = [...tables.allotmentRows.values()].filter(isDead).map(({ account, instanceId }) => ({
    type: 'reclaim' as const,
    input: { instanceId, accounts: [account] },
  }))
  runBatch(tables, [...recovered, ...reclaimed], circumstances)
  return { recovered: dead.length, openHolds: tables.holds.size }
}

function fold({ tables, read }: MemoryParts, range: JournalRange, context: CommandContext): FoldReply {
  const positionOf = (fileId: string): number => tables.journals.get(fileId)?.position ?? 0
  return foldNow(range, read(range, positionOf), (input) => {
    const [reply] = runBatch(tables, [{ type: 'fold', input }], context)
    invariant(reply, 'every command is answered')
    return reply
  })
}

function stateOf({ instances }: MemoryTables, id: string): [string, InstanceState][] {
  const state = instances.get(id)
  return state === undefined ? [] : [[id, state]]
}

function positionsOf({ journals, instances }: MemoryTables): readonly JournalPosition[] {
  return [...journals.values()].map(({ fileId, instanceId, position, openFrom }) => ({
    fileId,
    instanceId,
    position,
    openFrom,
    state: instances.get(instanceId),
  }))
}

function balanceOf(tables: MemoryTables, id: number): Balance | undefined {
  const account = tables.accounts.get(id)
  if (!account) return undefined
  const use = { account, allotments: tables.allotments(id) }
  const [allotted, free] = [sumOf(use.allotments, 'amount'), sumOf(use.allotments, 'free')]
  const { granted, remaining, reserved, used, debt, hasPaid, isUnlimited: unlimited, version } = account
  const exposed = exposureInFlight(use)
  const shown = { remaining: remaining + free, reserved: reserved - free, allotted, free, exposed }
  return { granted, used, debt, ...shown, hasPaid, unlimited, version }
}

function gauges(tables: MemoryTables, nowMs: number): LedgerGauges {
  const holds = [...tables.holds.values()]
  const oldestMs = Math.min(nowMs, ...holds.map((hold) => hold.createdMs))
  const debtTotal = [...tables.accounts.values()].reduce((sum, account) => sum + account.debt, 0n)
  const interrupted = [...tables.entries.values()].reduce((sum, entry) => sum + interruptedBy(entry), 0)
  return { openHolds: holds.length, oldestHoldMs: nowMs - oldestMs, debtTotal, interrupted }
}

function outOfReach({ allotmentRows, instances, journals }: MemoryTables): readonly OutOfReach[] {
  const rows = [...allotmentRows.values()]
  const isBusy = (id: string): boolean =>
    rows.some(({ instanceId, openHolds }) => instanceId === id && openHolds > 0) ||
    [...journals.values()].some(
      ({ instanceId, updatedMs }) => instanceId === id && updatedMs > Date.now() - QUIET_MS,
    )
  return rows.filter(
    ({ instanceId: id, amount, free }) => amount !== free && instances.get(id) === 'alive' && !isBusy(id),
  )
}

function auditSource(tables: MemoryTables): AuditSource {
  return {
    accounts: () => tables.accounts.values(),
    holds: () => tables.holds.values(),
    allotments: () => tables.allotmentRows.values(),
    allotmentsOfEnded: () =>
      [...tables.allotmentRows.values()].flatMap(({ account, instanceId }) =>
        tables.instances.get(instanceId) === 'ended' ? [account] : [],
      ),
    allotmentsOutOfReach: () => outOfReach(tables),
    entries: () => tables.entries.values(),
    price: (hash) => tables.prices.get(hash),
    rollups: () => [],
    // A map cannot contain a key twice.
    repeatedKeys: () => [],
    holdsOfEndedCalls: () => [...tables.holds.keys()].filter((id) => tables.entries.has(consumeKey(id))),
    wrongTotals: () => [],
  }
}
