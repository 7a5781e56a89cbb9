import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { Command } from './core/command.ts'
import type { SettleInput } from './inputs.ts'

export type EndOfCall = Extract<Command, { type: 'settle' | 'release' }>

export function isEndOfCall(command: Command): command is EndOfCall {
  return command.type === 'settle' || command.type === 'release'
}

/** One line of JSON. Amounts are strings, because they may exceed the exact range of a JSON number. */
export function lineOf({ type, input }: EndOfCall): string {
  const { log, ...rest } = input
  const amounts = 'amount' in rest ? { amount: String(rest.amount) } : {}
  const row = log ? { log: inText(log) } : {}
  return `${JSON.stringify({ type, input: { ...rest, ...amounts, ...row } })}\n`
}

/** Returns `undefined` for an incomplete line. */
export function endFromLine(line: string): EndOfCall | undefined {
  const parsed = parse(line)
  const { type, input } = parsed ?? {}
  if (!input) return undefined
  const { log: row, amount, ...rest } = input
  const log = row ? { log: fromText(row) } : {}
  if (type === 'release') return { type, input: { holdId: rest.holdId, ...log } }
  return { type: 'settle', input: { ...rest, amount: BigInt(amount), ...log } }
}

type InText<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]: string }

type LogInText = InText<Omit<UsageLogRow, Optional>, 'quota'> & { readonly [K in Optional]?: string | null }
type Optional = 'cost' | 'cache_saved'

function inText({ quota, cost, cache_saved: saved, ...row }: UsageLogRow): LogInText {
  return { ...row, quota: String(quota), cost: textOf(cost), cache_saved: textOf(saved) }
}

function fromText({ quota, cost, cache_saved: saved, ...row }: LogInText): UsageLogRow {
  return { ...row, quota: BigInt(quota), cost: amountOf(cost), cache_saved: amountOf(saved) }
}

function textOf(amount: bigint | null | undefined): string | null {
  return amount === undefined || amount === null ? null : String(amount)
}

function amountOf(text: string | null | undefined): bigint | null {
  return text === undefined || text === null ? null : BigInt(text)
}

interface Line {
  readonly type?: EndOfCall['type']
  readonly input?: InText<Omit<SettleInput, 'log'>, 'amount'> & {
    readonly log?: LogInText
  }
}

/** A complete line has the format of {@link lineOf}; an incomplete one is invalid JSON. */
function parse(line: string): Line | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}
