import { taskActionText } from '../task-words.ts'
import type { LogEvent, LogEventOf } from './event.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { textFor, type TextReader } from './text-reader.ts'
import { betweenClauses, clauses } from './texts.ts'

export type ClauseName = keyof typeof clauses

/** One part of a log text about a charge. Ratios taken from stored sentences are already formatted text. */
export interface Clause {
  readonly name: ClauseName
  readonly values: Readonly<Record<string, string | number>>
}

export type ChargeEvent = LogEventOf<'call_charged' | 'task_charged'>

export function isCharge(event: LogEvent): event is ChargeEvent {
  return event.event === 'call_charged' || event.event === 'task_charged'
}

export function chargeClauses(event: ChargeEvent): readonly Clause[] {
  return event.event === 'call_charged' ? callClauses(event) : taskClauses(event)
}

/** Joins the clauses into one sentence. */
export function clausesText(parts: readonly Clause[], reader: TextReader): string {
  const text = parts.map((part) => clauseText(part, reader)).join(textFor(betweenClauses, reader))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function callClauses({
  model_price: price,
  picture,
  ...ratios
}: LogEventOf<'call_charged'>): readonly Clause[] {
  const byRatios = [
    ratioClause('model_ratio', ratios.model_ratio),
    ratioClause('completion_ratio', ratios.completion_ratio),
  ]
  return [
    ...(price >= 0 ? [priceClause('model_price', price)] : byRatios),
    ratioClause('group_ratio', ratios.group_ratio),
    ...(picture === undefined ? [] : [{ name: 'picture', values: picture } as const]),
  ]
}

const DRAWINGS = 'mj'

function taskClauses(event: LogEventOf<'task_charged'>): readonly Clause[] {
  const { model_price: price, model_ratio: ratio = 0, group_ratio: groupRatio, seconds } = event
  const length = seconds === undefined ? [] : [{ name: 'seconds', values: { seconds } } as const]
  return [
    price === undefined ? ratioClause('model_ratio', ratio) : priceClause('fixed_price', price),
    ratioClause('group_ratio', groupRatio),
    { name: 'action', values: { action: event.action } },
    ...(event.platform === DRAWINGS ? [{ name: 'drawing', values: { id: event.task_id } } as const] : length),
  ]
}

function ratioClause(name: ClauseName, ratio: number): Clause {
  return { name, values: { ratio } }
}

function priceClause(name: ClauseName, price: number): Clause {
  return { name, values: { price } }
}

const DECIMALS: ReadonlySet<string> = new Set(['ratio', 'price'])

function clauseText({ name, values }: Clause, reader: TextReader): string {
  const { isOld = false, language } = reader
  const shown = Object.entries(values).map(([member, value]) => {
    if (typeof value === 'number' && isOld && DECIMALS.has(member)) return [member, value.toFixed(2)] as const
    const text = String(value)
    return [member, member === 'action' && !isOld ? taskActionText(text, language) : text] as const
  })
  return fillPlaceholders(textFor(clauses[name], reader), Object.fromEntries(shown))
}
