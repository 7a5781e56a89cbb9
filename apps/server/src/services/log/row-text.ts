import { LOG_TYPE, type LogRow } from '@tollgate/contract/log'
import { readLogEvent } from '@tollgate/contract/log-event/event'
import { eventText } from '@tollgate/contract/log-event/event-text'
import { oldSentence } from '@tollgate/contract/log-event/old-sentence'
import type { Language } from '@tollgate/kit/problem'
import { amountText, readersAmountText } from '../amount-text.ts'
import type { UserHeader } from '../handler.ts'
import type { Options } from '../services.ts'
import { problemText } from '../problem-text.ts'
import { otherMembers } from './wire.ts'

/** Rows store an event; here its text is made, for our console in the language of the reader. */
export interface LogReader {
  readonly options: Options
  readonly language: Language
  readonly userHeader: UserHeader | undefined
}

/** The row with its `content`. Clients of the old API get the family's Chinese sentence, whatever their language. */
export function withContent(row: LogRow, reader: LogReader): LogRow {
  return reader.userHeader === 'own' ? inReadersWords(row, reader) : inOldWords(row, reader.options)
}

/** The same for a file, where nothing translates the sentences of rows without an event afterwards. */
export function withExportedContent(row: LogRow, reader: LogReader): LogRow {
  const shown = withContent(row, reader)
  if (reader.userHeader !== 'own' || shown.content !== row.content) return shown
  return { ...shown, content: oldSentence(shown.content, reader.language) }
}

/** What clients of the old API are given as the text of an event; `undefined` for a row without one. */
export function oldContent(other: Readonly<Record<string, unknown>>, options: Options): string | undefined {
  const event = readLogEvent(other)
  if (event === undefined) return undefined
  const amount = (units: number) => amountText(options, BigInt(units))
  return eventText(event, { language: 'zh', isOld: true, amount })
}

function inReadersWords(row: LogRow, { options, language }: LogReader): LogRow {
  const members = otherMembers(row.other)
  const event = readLogEvent(members)
  const amount = (units: number) => readersAmountText(options, BigInt(units), language)
  if (event !== undefined) return { ...row, content: eventText(event, { language, amount }) }
  if (row.type !== LOG_TYPE.error || language === 'en') return row
  return { ...row, content: problemText(row.content, members, language) ?? row.content }
}

/** Rows of earlier versions have their sentence. A refund for less also repeated it as its reason. */
function inOldWords(row: LogRow, options: Options): LogRow {
  if (row.content !== '') return row
  const members = otherMembers(row.other)
  const content = oldContent(members, options)
  if (content === undefined) return row
  if (members['event'] !== 'task_settled_for_less') return { ...row, content }
  return { ...row, content, other: JSON.stringify({ ...members, reason: content }) }
}
