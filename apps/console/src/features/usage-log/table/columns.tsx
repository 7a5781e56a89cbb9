import type { LogRow } from '@tollgate/contract/log'
import { wayText } from '@tollgate/contract/log-event/event-text'
import type { TextReader } from '@tollgate/contract/log-event/text-reader'
import { logTypeText } from '@tollgate/contract/log-event/type-words'
import { netQuota } from '@tollgate/contract/net-quota'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import { briefTime, dateTime } from '../../../shared/format/time.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { GroupLabel, Status, type Tone } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import type { UsageLogKey } from '../i18n/index.ts'

import { rowText } from '../row-text/row-text.ts'
import { clientText } from '../details/client-text.ts'
import { type CallRow, isConsumption } from './call-row.ts'
import type { LogUser } from '../user/user-dialog.tsx'
import styles from './cells.module.css'
import { DurationCell } from './duration-cell.tsx'

export interface ColumnsInput {
  readonly isAdmin: boolean
  readonly money: Money
  readonly t: Translate<UsageLogKey>
  readonly reader: TextReader
  readonly onUser: (user: LogUser) => void
}

/**
 * The columns of the usage log; channel, user and retry path are shown only to admins. The column keys are
 * those that consoles of new-api store.
 */
export function logColumns({ isAdmin, money, t, reader, onUser }: ColumnsInput): readonly Column<CallRow>[] {
  const columns: readonly (Column<CallRow> & { readonly isForAdmins?: boolean })[] = [
    {
      key: 'time',
      title: t('word.time'),
      isFixed: true,
      phone: 'detail',
      render: (row) => <time title={dateTime(row.created_at)}>{briefTime(row.created_at)}</time>,
    },
    { key: 'channel', title: t('word.channel'), isForAdmins: true, render: channelCell },
    {
      key: 'username',
      title: t('word.user'),
      isForAdmins: true,
      phone: 'detail',
      render: (row) => <UserCell row={row} label={t('user.show', { name: row.username })} onUser={onUser} />,
    },
    { key: 'token', title: t('word.token'), render: tokenCell, phone: isAdmin ? undefined : 'detail' },
    {
      key: 'group',
      title: t('word.group'),
      render: (row) => row.group !== '' && <GroupLabel name={row.group} />,
    },
    {
      key: 'client',
      title: t('fact.client'),
      isHiddenAtFirst: true,
      render: (row) => clientText(row),
    },
    { key: 'session', title: t('fact.session'), isHiddenAtFirst: true, render: sessionCell },
    {
      key: 'type',
      title: t('column.type'),
      isHiddenAtFirst: true,
      render: (row) => <TypeWord row={row} reader={reader} />,
    },
    {
      key: 'model',
      title: t('word.model'),
      phone: 'title',
      runsOver: emptyBesideSubject,
      render: (row) => <SubjectCell row={row} t={t} reader={reader} />,
    },
    {
      key: 'use_time',
      title: t('column.duration'),
      phone: 'detail',
      render: (row) => isCall(row) && <DurationCell row={row} />,
    },
    {
      key: 'prompt',
      title: t('word.input'),
      isNumber: true,
      render: (row) => isConsumption(row) && groupedInteger(row.prompt_tokens),
    },
    {
      key: 'completion',
      title: t('word.output'),
      isNumber: true,
      render: (row) => isConsumption(row) && groupedInteger(row.completion_tokens),
    },
    {
      key: 'cost',
      title: t('word.cost'),
      isNumber: true,
      phone: 'value',
      render: (row) => (isConsumption(row) || row.quota !== 0) && money.exact(netQuota(row)),
    },
    { key: 'retry', title: t('column.retry'), isForAdmins: true, render: retryCell },
    {
      key: 'details',
      title: t('word.details'),
      isHiddenAtFirst: true,
      render: (row) => isConsumption(row) && <DetailsCell text={rowText(row, reader)} />,
    },
  ]
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}

/** Whether the row is a call, paid or failed, and not a top-up or a note. */
export function isCall(row: Pick<LogRow, 'type'>): boolean {
  return isConsumption(row) || row.type === LOG_TYPE.error
}

function channelCell(row: CallRow) {
  if (row.channel === 0) return null
  return (
    <span className={styles.clipped} title={row.channel_name}>
      <span className="number">#{row.channel}</span> {row.channel_name}
    </span>
  )
}

interface UserCellProps {
  readonly row: LogRow
  readonly label: string
  readonly onUser: (user: LogUser) => void
}

function UserCell({ row, label, onUser }: UserCellProps) {
  if (row.username === '') return null
  return (
    <button
      type="button"
      className={styles.user}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        onUser(row)
      }}
    >
      {row.username}
    </button>
  )
}

function tokenCell(row: CallRow) {
  if (row.token_name === '') return null
  return (
    <span className={styles.clipped}>
      <CopyableText text={row.token_name} />
    </span>
  )
}

/** The beginning of the id tells sessions apart; the whole is in the details. */
const SESSION_CHARACTERS = 8

function sessionCell({ session }: CallRow) {
  if (session === '') return null
  return (
    <span className="code" title={session}>
      {session.slice(0, SESSION_CHARACTERS)}
    </span>
  )
}

/**
 * The columns that a row leaves empty: only paid calls have usage numbers, and a refund has only an amount.
 */
function emptyBesideSubject(row: CallRow): readonly string[] {
  if (isConsumption(row)) return []
  const withoutNumbers = ['use_time', 'prompt', 'completion']
  if (row.quota !== 0) return withoutNumbers
  return [...withoutNumbers, 'cost', ...(wasRetried(row) ? [] : ['retry', 'details'])]
}

interface Words {
  readonly t: Translate<UsageLogKey>
  readonly reader: TextReader
}

interface SubjectProps extends Words {
  readonly row: CallRow
}

/**
 * The model of a call. Any other row shows its type and its text, which extends over the columns that the row
 * leaves empty.
 */
function SubjectCell({ row, t, reader }: SubjectProps) {
  if (isConsumption(row))
    return wasInterrupted(row) ? <Interrupted row={row} t={t} /> : <ModelName row={row} />
  const text = rowSubject(row, { t, reader })
  return (
    <span className="row-8">
      <TypeWord row={row} reader={reader} />
      {row.model_name !== '' && <ModelName row={row} />}
      {isCall(row) && (
        <span className={styles.besideModel}>
          <DurationCell row={row} />
        </span>
      )}
      <span className={styles.content} title={text}>
        {text}
      </span>
    </span>
  )
}

/** Whether a crash ended the call and no later settlement has corrected the charge. */
function wasInterrupted({ record: { flags } }: CallRow): boolean {
  return flags.includes('recovered') && !flags.includes('late')
}

function Interrupted({ row, t }: { readonly row: CallRow; readonly t: Translate<UsageLogKey> }) {
  return (
    <span className="row-8">
      {row.model_name !== '' && <ModelName row={row} />}
      <span title={t('flag.recovered.meaning')}>
        <Status tone="look" label={t('ending.interrupted')} />
      </span>
    </span>
  )
}

/** The text beside the type of a row. For a sign-in it is only the method. */
function rowSubject(row: CallRow, { t, reader }: Words): string {
  const { event } = row
  if (event?.event !== 'sign_in' || event.way === '') return rowText(row, reader)
  return t('signIn.by', { way: wayText(event.way, reader) })
}

function ModelName({ row }: { readonly row: CallRow }) {
  return (
    <span className={`code ${styles.model}`} title={row.model_name}>
      {row.model_name}
    </span>
  )
}

const typeTones: ReadonlyMap<number, Tone> = new Map<number, Tone>([
  [LOG_TYPE.topUp, 'ok'],
  [LOG_TYPE.checkIn, 'ok'],
  [LOG_TYPE.refund, 'ok'],
  [LOG_TYPE.error, 'act'],
])

function TypeWord({ row: { type }, reader }: { readonly row: CallRow; readonly reader: TextReader }) {
  return <Status tone={typeTones.get(type) ?? 'idle'} label={logTypeText(type, reader.language)} />
}

/** `3 → 7`: the channels tried, in order, if there was more than one attempt. */
function retryCell(row: CallRow) {
  return wasRetried(row) && <span className="number">{row.record.admin_info.use_channel.join(' → ')}</span>
}

function wasRetried(row: CallRow): boolean {
  return row.record.admin_info.use_channel.length > 1
}

function DetailsCell({ text }: { readonly text: string }) {
  return (
    <span className={styles.clamped} title={text}>
      {text}
    </span>
  )
}
