import { LOG_TYPE, type LogRow } from '@tollgate/contract/log'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import type { Money } from '../../../shared/format/use-money.ts'
import { briefTime, dateTime } from '../../../shared/format/time.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { Label, Status, type Tone } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import type { UsageLogKey } from '../i18n.ts'
import { isConsumption } from '../receipt/receipt-of.ts'
import { inReadersWords } from '../sentences/sentence.ts'
import type { CallRow } from './call-row.ts'
import type { LogUser } from '../user/user-dialog.tsx'
import styles from './cells.module.css'
import { DurationCell } from './duration-cell.tsx'

export interface ColumnsInput {
  readonly isAdmin: boolean
  readonly money: Money
  readonly t: Translate<UsageLogKey>
  readonly onUser: (user: LogUser) => void
}

/** The columns of the usage log; channel, user and retry path are for admins. The keys are those the family stores. */
export function logColumns({ isAdmin, money, t, onUser }: ColumnsInput): readonly Column<CallRow>[] {
  const columns: readonly (Column<CallRow> & { readonly isForAdmins?: boolean })[] = [
    {
      key: 'time',
      title: t('column.time'),
      isFixed: true,
      phone: 'detail',
      render: (row) => <time title={dateTime(row.created_at)}>{briefTime(row.created_at)}</time>,
    },
    { key: 'channel', title: t('column.channel'), isForAdmins: true, render: channelCell },
    {
      key: 'username',
      title: t('column.user'),
      isForAdmins: true,
      phone: 'detail',
      render: (row) => <UserCell row={row} label={t('user.show', { name: row.username })} onUser={onUser} />,
    },
    {
      key: 'token',
      title: t('column.token'),
      render: tokenCell,
      ...(!isAdmin && { phone: 'detail' }),
    },
    {
      key: 'group',
      title: t('column.group'),
      render: (row) => row.group !== '' && <Label text={row.group} />,
    },
    {
      key: 'type',
      title: t('column.type'),
      isHiddenAtFirst: true,
      render: (row) => <TypeWord row={row} t={t} />,
    },
    {
      key: 'model',
      title: t('column.model'),
      phone: 'title',
      render: (row) => <SubjectCell row={row} t={t} />,
    },
    {
      key: 'use_time',
      title: t('column.duration'),
      phone: 'detail',
      render: (row) => isCall(row) && <DurationCell row={row} />,
    },
    {
      key: 'prompt',
      title: t('column.input'),
      isNumber: true,
      render: (row) => isConsumption(row) && groupedInteger(row.prompt_tokens),
    },
    {
      key: 'completion',
      title: t('column.output'),
      isNumber: true,
      render: (row) => isConsumption(row) && groupedInteger(row.completion_tokens),
    },
    {
      key: 'cost',
      title: t('column.cost'),
      isNumber: true,
      phone: 'value',
      render: (row) => (isConsumption(row) || row.quota !== 0) && money.exact(row.quota),
    },
    { key: 'retry', title: t('column.retry'), isForAdmins: true, render: retryCell },
    { key: 'details', title: t('column.details'), isHiddenAtFirst: true, render: detailsCell },
  ]
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}

/** A call, paid or failed: not a top-up, not a note. */
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

/** The model of a call; of any other row, its type and its text. */
function SubjectCell({ row, t }: { readonly row: CallRow; readonly t: Translate<UsageLogKey> }) {
  if (isConsumption(row))
    return wasInterrupted(row) ? <Interrupted row={row} t={t} /> : <ModelName row={row} />
  return (
    <span className={styles.subject}>
      <TypeWord row={row} t={t} />
      {row.model_name !== '' && <ModelName row={row} />}
      <span className={styles.content} title={contentOf(row, t)}>
        {contentOf(row, t)}
      </span>
    </span>
  )
}

/** A crash ended the call, and no late settlement has told since what it really cost. */
function wasInterrupted({ record: { flags } }: CallRow): boolean {
  return flags.includes('recovered') && !flags.includes('late')
}

function Interrupted({ row, t }: { readonly row: CallRow; readonly t: Translate<UsageLogKey> }) {
  return (
    <span className={styles.subject}>
      {row.model_name !== '' && <ModelName row={row} />}
      <span title={t('flag.recovered.meaning')}>
        <Status tone="look" label={t('ending.interrupted')} />
      </span>
    </span>
  )
}

/** The server keeps the family's own sentence for a sign-in; the way stands in its brackets. */
function contentOf({ type, content }: CallRow, t: Translate<UsageLogKey>): string {
  const way = type === LOG_TYPE.signIn ? /（(.+)）$/.exec(content)?.[1] : undefined
  if (way === undefined) return inReadersWords(content)
  return t('signIn.by', { way: way === 'password' ? t('signIn.password') : way })
}

function ModelName({ row }: { readonly row: CallRow }) {
  return (
    <span className={`code ${styles.model}`} title={row.model_name}>
      {row.model_name}
    </span>
  )
}

const typeWords: ReadonlyMap<number, readonly [UsageLogKey, Tone]> = new Map<
  number,
  readonly [UsageLogKey, Tone]
>([
  [LOG_TYPE.topUp, ['type.topUp', 'ok']],
  [LOG_TYPE.consumption, ['type.consumption', 'idle']],
  [LOG_TYPE.management, ['type.management', 'idle']],
  [LOG_TYPE.system, ['type.system', 'idle']],
  [LOG_TYPE.checkIn, ['type.checkIn', 'ok']],
  [LOG_TYPE.refund, ['type.refund', 'ok']],
  [LOG_TYPE.signIn, ['type.signIn', 'idle']],
  [LOG_TYPE.error, ['type.error', 'act']],
])

function TypeWord({ row, t }: { readonly row: CallRow; readonly t: Translate<UsageLogKey> }) {
  const [key, tone] = typeWords.get(row.type) ?? (['type.unknown', 'idle'] as const)
  return <Status tone={tone} label={t(key)} />
}

/** `3 → 7`: the channels tried, in order. */
function retryCell(row: CallRow) {
  const path = row.record.admin_info.use_channel
  return path.length > 0 && <span className="number">{path.join(' → ')}</span>
}

function detailsCell(row: CallRow) {
  return (
    <span className={styles.clamped} title={inReadersWords(row.content)}>
      {inReadersWords(row.content)}
    </span>
  )
}
