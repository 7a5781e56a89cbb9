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
  const row = log ? { log: { ...log, quota: String(log.quota) } } : {}
  return `${JSON.stringify({ type, input: { ...rest, ...amounts, ...row } })}\n`
}

/** Returns `undefined` for an incomplete line. */
export function endFromLine(line: string): EndOfCall | undefined {
  const parsed = parse(line)
  const { type, input } = parsed ?? {}
  if (!input) return undefined
  const { log: row, amount, ...rest } = input
  const log = row ? { log: { ...row, quota: BigInt(row.quota) } } : {}
  if (type === 'release') return { type, input: { holdId: rest.holdId, ...log } }
  return { type: 'settle', input: { ...rest, amount: BigInt(amount), ...log } }
}

type InText<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]: string }
interface Line {
  readonly type?: EndOfCall['type']
  readonly input?: InText<Omit<SettleInput, 'log'>, 'amount'> & {
    readonly log?: InText<UsageLogRow, 'quota'>
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
