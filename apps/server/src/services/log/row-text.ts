import type { LogRow } from '@tollgate/contract/log'
import { readLogEvent } from '@tollgate/contract/log-event/event'
import { eventText } from '@tollgate/contract/log-event/event-text'
import { oldSentence } from '@tollgate/contract/log-event/old-sentence'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Language } from '@tollgate/problems/problem'
import { amountText, readersAmountText } from '../amount-text.ts'
import type { UserHeader } from '../handler.ts'
import type { Options } from '../services.ts'
import { problemText } from '../problem-text.ts'
import { otherMembers } from './wire.ts'

/** A log row stores an event. Its text is generated here: for our console in the reader's language. */
export interface LogReader {
  readonly options: Options
  readonly language: Language
  readonly userHeader: UserHeader | undefined
}

/**
 * Fills in the row's `content`. Clients of the old API get new-api's Chinese sentence, whatever their
 * language.
 */
export function withContent(row: LogRow, reader: LogReader): LogRow {
  return reader.userHeader === 'own' ? inReadersWords(row, reader) : inOldWords(row, reader.options)
}

/**
 * The same for an exported file. The console translates the stored sentences of rows without an event when it
 * shows them; for a file that is done here.
 */
export function withExportedContent(row: LogRow, reader: LogReader): LogRow {
  const shown = withContent(row, reader)
  if (reader.userHeader !== 'own' || shown.content !== row.content) return shown
  return { ...shown, content: oldSentence(shown.content, reader.language) }
}

/** Text of an event for clients of the old API; `undefined` for a row without an event. */
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

/**
 * Rows of earlier versions contain their sentence. For a partial refund, those versions also stored the
 * sentence as `reason`.
 */
function inOldWords(row: LogRow, options: Options): LogRow {
  if (row.content !== '') return row
  const members = otherMembers(row.other)
  const content = oldContent(members, options)
  if (content === undefined) return row
  if (members['event'] !== 'task_settled_for_less') return { ...row, content }
  return { ...row, content, other: JSON.stringify({ ...members, reason: content }) }
}
