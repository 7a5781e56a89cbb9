import { chargeClauses, clausesText, isCharge, type ChargeEvent } from './charge-clauses.ts'
import { describeRefusal } from '../refusal-words.ts'
import type { LogEvent } from './event.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { textFor, type TextReader } from './text-reader.ts'
import { type EventText, password, sentences, variants } from './texts.ts'

/** Text of a usage log row for this reader. */
export function eventText(event: LogEvent, reader: TextReader): string {
  return isCharge(event) ? clausesText(chargeClauses(event), reader) : sentenceText(event, reader)
}

type SentenceEvent = Exclude<LogEvent, ChargeEvent>

function sentenceText(event: SentenceEvent, reader: TextReader): string {
  const values = Object.entries(event).map(([name, value]) => [name, valueText(name, value, reader)] as const)
  return fillPlaceholders(textFor(textOf(event), reader), Object.fromEntries(values))
}

function textOf(event: SentenceEvent): EventText {
  if (event.event === 'task_refunded' && event.platform === 'mj') return variants.drawing_refunded
  if (event.event === 'sign_in' && event.way === '') return variants.signed_in
  return sentences[event.event]
}

const AMOUNTS: ReadonlySet<string> = new Set(['quota', 'before', 'after'])

function valueText(name: string, value: string | number, reader: TextReader): string {
  if (typeof value === 'number' && AMOUNTS.has(name)) return reader.amount(value)
  if (name === 'reason' && reader.isOld !== true) return describeRefusal(String(value), reader.language)
  return name === 'way' ? wayText(String(value), reader) : String(value)
}

/** Only `password` is translated; the name of a sign-in provider is the same in every language. */
export function wayText(way: string, reader: TextReader): string {
  return way === 'password' && reader.isOld !== true ? password[reader.language] : way
}
