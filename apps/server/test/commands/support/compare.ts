import { accountId } from '@tollgate/ledger/account'
import type { Store } from '@tollgate/store/database/open-store'
import { expect } from 'vitest'
import { ODD_TOKENS, ODD_USERS } from './source-oddities.ts'
import { type Row, type Tables } from './source-rows.ts'

interface Figures {
  readonly remaining: bigint
  readonly used: bigint
}

/** Compares every balance of the source with the imported accounts; returns the number of comparisons. */
export async function compareBalances({ db }: Store, tables: Tables): Promise<number> {
  const accounts = await db.selectFrom('account').select(['id', 'remaining', 'debt', 'used']).execute()
  const found = new Map(
    accounts.map(({ id, remaining, debt, used }) => [id, { remaining: remaining - debt, used }]),
  )
  const expected = new Map<number, Figures>([
    ...(tables['users'] ?? []).map(
      (row) => [accountId('user', Number(row['id'])), userFigures(row)] as const,
    ),
    ...(tables['users'] ?? []).flatMap((row) => affiliateOf(row)),
    ...(tables['tokens'] ?? [])
      .filter(({ id }) => id !== ODD_TOKENS.noKey && id !== ODD_TOKENS.noOwner)
      .map((row) => [accountId('token', Number(row['id'])), tokenFigures(row)] as const),
  ])
  const differences = [...expected].filter(([id, figures]) => !isSame(found.get(id), figures))
  expect(differences).toEqual([])
  expect(found.size).toBe(expected.size)
  return expected.size
}

function isSame(left: Figures | undefined, right: Figures): boolean {
  return left?.remaining === right.remaining && left.used === right.used
}

function userFigures(row: Row): Figures {
  const used = units(row['used_quota'])
  return { remaining: units(row['quota']), used: row['id'] === ODD_USERS.usedBelowZero ? 0n : used }
}

function affiliateOf(row: Row): readonly (readonly [number, Figures])[] {
  const left = units(row['aff_quota'])
  const earned = units(row['aff_history'])
  if (earned === 0n) return []
  return [[accountId('affiliate', Number(row['id'])), { remaining: left, used: earned - left }]]
}

function tokenFigures(row: Row): Figures {
  const remaining = units(row['remain_quota'])
  const isCounted = row['unlimited_quota'] === true && remaining < 0n
  return { remaining: isCounted ? 0n : remaining, used: units(row['used_quota']) }
}

function units(cell: Row[string] | undefined): bigint {
  return cell === null || cell === undefined ? 0n : BigInt(cell)
}

const TABLES = [
  'users',
  'tokens',
  'channels',
  'options',
  'account',
  'entry',
  'entry_rollup',
  'totals',
  'logs',
  'setups',
  'redemptions',
  'redemption_uses',
  'top_ups',
  'tasks',
  'usage_hours',
] as const

export interface Content {
  readonly name: string
  /** Sorted, so that the order of insertion does not matter. */
  readonly rows: readonly string[]
}

/** Every row of every table, to check that nothing changed or that two imports have the same result. */
export async function contents(
  { db }: Store,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<readonly Content[]> {
  const tables = await Promise.all(TABLES.map((name) => db.selectFrom(name).selectAll().execute()))
  return TABLES.map((name, index) => ({
    name,
    rows: (tables[index] ?? []).map((row) => shown(row, without)).sort(),
  }))
}

function shown(row: object, without: readonly string[]): string {
  const entries = Object.entries(row).filter(([name]) => !without.includes(name))
  return JSON.stringify(entries, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

const DIFFERENCES_SHOWN = 3

/** The first rows that only one of two databases has. */
export function differences(expected: readonly Content[], found: readonly Content[]): readonly string[] {
  return found.flatMap(({ name, rows }, index) => {
    const others = expected[index]?.rows ?? []
    return [...onlyIn(rows, others, `+ ${name}`), ...onlyIn(others, rows, `- ${name}`)]
  })
}

function onlyIn(rows: readonly string[], others: readonly string[], mark: string): readonly string[] {
  const there = new Set(others)
  const missing = rows.filter((row) => !there.has(row))
  return missing.slice(0, DIFFERENCES_SHOWN).map((row) => `${mark} ${row}`)
}
