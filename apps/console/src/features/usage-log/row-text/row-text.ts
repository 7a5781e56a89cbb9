import {
  chargeClauses,
  type Clause,
  type ClauseName,
  clausesText,
  isCharge,
} from '@tollgate/contract/log-event/charge-clauses'
import { eventText } from '@tollgate/contract/log-event/event-text'
import { oldClauses, oldSentence } from '@tollgate/contract/log-event/old-sentence'
import type { TextReader } from '@tollgate/contract/log-event/text-reader'
import type { CallRow } from '../table/call-row.ts'

/** The text of the row in the reader's language. Texts from an upstream are not translated. */
export function rowText({ event, content }: CallRow, reader: TextReader): string {
  return event === undefined ? oldSentence(content, reader.language) : eventText(event, reader)
}

/** The parts of the row's text that describe its charge; `undefined` for rows that are not a charge. */
export function clausesOf({
  event,
  content,
}: Pick<CallRow, 'event' | 'content'>): readonly Clause[] | undefined {
  if (event === undefined) return oldClauses(content)
  return isCharge(event) ? chargeClauses(event) : undefined
}

const ofReceipt: ReadonlySet<ClauseName> = new Set<ClauseName>([
  'model_ratio',
  'completion_ratio',
  'group_ratio',
  'model_price',
  'fixed_price',
])
const ofTask: ReadonlySet<ClauseName> = new Set<ClauseName>(['action', 'drawing'])

/** The text without the parts that the receipt or the facts about the task already show. */
export function textBesideReceipt(row: CallRow, reader: TextReader): string {
  const hasTask = row.record.task_id !== undefined
  const clauses = clausesOf(row)
  if (clauses === undefined) return rowText(row, reader)
  const left = clauses.filter(({ name }) => !ofReceipt.has(name) && !(hasTask && ofTask.has(name)))
  return left.length === 0 ? '' : clausesText(left, reader)
}
