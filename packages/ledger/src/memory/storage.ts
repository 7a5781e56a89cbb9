import { StoreError } from '@tollgate/store/database/errors'
import { type AuditSource, auditLedger } from '../core/audit.ts'
import type { CommandContext, Command } from '../core/command.ts'
import { decideBatch } from '../core/decide.ts'
import { consumeKey } from '../core/keys.ts'
import { interruptedBy } from '../core/interrupted.ts'
import type { LedgerStorage, Reply, StartReport } from '../core/storage.ts'
import type { Balance } from '../account.ts'
import type { LedgerGauges } from '../ledger.ts'
import type { MemoryTables } from './tables.ts'

/** Runs the ledger core over maps. Entries are kept for ever, and totals are not computed. */
export function memoryStorage(tables: MemoryTables): LedgerStorage {
  return {
    run: async (commands, circumstances) => runBatch(tables, commands, circumstances),
    start: async (circumstances) => start(tables, circumstances),
    end: async () => undefined,
    balance: async (account) => balanceOf(tables, account),
    rollUp: async () => undefined,
    clean: async () => 0,
    audit: async () => auditLedger(auditSource(tables)),
    gauges: async (nowMs) => gauges(tables, nowMs),
  }
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

function start(tables: MemoryTables, circumstances: CommandContext): StartReport {
  const dead = [...tables.holds.values()].filter((hold) => hold.instanceId !== circumstances.instanceId)
  const commands = dead.map(({ id }) => ({ type: 'recover' as const, input: { holdId: id } }))
  runBatch(tables, commands, circumstances)
  return { recovered: dead.length, openHolds: tables.holds.size }
}

function balanceOf(tables: MemoryTables, id: number): Balance | undefined {
  const account = tables.accounts.get(id)
  if (!account) return undefined
  const { granted, remaining, reserved, used, debt, exposed, hasPaid, isUnlimited, version } = account
  return { granted, remaining, reserved, used, debt, exposed, hasPaid, unlimited: isUnlimited, version }
}

function gauges(tables: MemoryTables, nowMs: number): LedgerGauges {
  const holds = [...tables.holds.values()]
  const oldestMs = Math.min(nowMs, ...holds.map((hold) => hold.createdMs))
  const debtTotal = [...tables.accounts.values()].reduce((sum, account) => sum + account.debt, 0n)
  const interrupted = [...tables.entries.values()].reduce((sum, entry) => sum + interruptedBy(entry), 0)
  return { openHolds: holds.length, oldestHoldMs: nowMs - oldestMs, debtTotal, interrupted }
}

function auditSource(tables: MemoryTables): AuditSource {
  return {
    accounts: () => tables.accounts.values(),
    holds: () => tables.holds.values(),
    entries: () => tables.entries.values(),
    rollups: () => [],
    // A map cannot contain a key twice.
    repeatedKeys: () => [],
    holdsOfEndedCalls: () => [...tables.holds.keys()].filter((id) => tables.entries.has(consumeKey(id))),
    wrongTotals: () => [],
  }
}
