import { StoreError } from '@tollgate/store/errors'
import { type AuditSource, auditBooks } from '../core/audit.ts'
import type { Circumstances, Command } from '../core/command.ts'
import { decideBatch } from '../core/decide.ts'
import { consumeKey } from '../core/keys.ts'
import { interruptedBy } from '../core/interrupted.ts'
import type { LedgerStorage, Reply, StartReport } from '../core/storage.ts'
import type { Balance, LedgerGauges } from '../ledger.ts'
import type { MemoryBooks } from './books.ts'

/** Runs the core over maps. Entries are kept for good, and totals are not derived. */
export function memoryStorage(books: MemoryBooks): LedgerStorage {
  return {
    run: async (commands, circumstances) => runBatch(books, commands, circumstances),
    start: async (circumstances) => start(books, circumstances),
    end: async () => undefined,
    balance: async (account) => balanceOf(books, account),
    rollUp: async () => undefined,
    clean: async () => 0,
    audit: async () => auditBooks(auditSource(books)),
    gauges: async (nowMs) => gauges(books, nowMs),
  }
}

function runBatch(
  books: MemoryBooks,
  commands: readonly Command[],
  circumstances: Circumstances,
): readonly Reply[] {
  try {
    const { decisions, changes } = decideBatch(books, commands, circumstances)
    books.commit(changes)
    return decisions.map((decision) => ({ type: 'decided', decision }))
  } catch (error) {
    if (error instanceof StoreError) throw error
    if (commands.length === 1) return [{ type: 'failed', detail: String(error) }]
    return commands.flatMap((command) => runBatch(books, [command], circumstances))
  }
}

function start(books: MemoryBooks, circumstances: Circumstances): StartReport {
  const dead = [...books.holds.values()].filter((hold) => hold.instanceId !== circumstances.instanceId)
  const commands = dead.map(({ id }) => ({ type: 'recover' as const, input: { holdId: id } }))
  runBatch(books, commands, circumstances)
  return { recovered: dead.length, openHolds: books.holds.size }
}

function balanceOf(books: MemoryBooks, id: number): Balance | undefined {
  const account = books.accounts.get(id)
  if (!account) return undefined
  const { granted, remaining, reserved, used, debt, exposed, hasPaid, isUnlimited, version } = account
  return { granted, remaining, reserved, used, debt, exposed, hasPaid, unlimited: isUnlimited, version }
}

function gauges(books: MemoryBooks, nowMs: number): LedgerGauges {
  const holds = [...books.holds.values()]
  const oldestMs = Math.min(nowMs, ...holds.map((hold) => hold.createdMs))
  const debtTotal = [...books.accounts.values()].reduce((sum, account) => sum + account.debt, 0n)
  const interrupted = [...books.entries.values()].reduce((sum, entry) => sum + interruptedBy(entry), 0)
  return { openHolds: holds.length, oldestHoldMs: nowMs - oldestMs, debtTotal, interrupted }
}

function auditSource(books: MemoryBooks): AuditSource {
  return {
    accounts: () => books.accounts.values(),
    holds: () => books.holds.values(),
    entries: () => books.entries.values(),
    rollups: () => [],
    // A map has no key twice.
    repeatedKeys: () => [],
    holdsOfEndedCalls: () => [...books.holds.keys()].filter((id) => books.entries.has(consumeKey(id))),
    wrongTotals: () => [],
  }
}
