import { LOG_TYPE } from '@tollgate/kit/codes'
import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import { dateTime } from '../../../shared/format/time.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { Icon } from '../../../shared/icon/icon.tsx'
import { useLessonText } from '../../../shared/lessons/lesson-text.ts'
import { actionText, reasonText } from '../../../shared/tasks/task-words.ts'
import { type UsageLogKey, usageLogMessages } from '../i18n/index.ts'
import type { CallRow } from '../table/call-row.ts'
import { attemptsOf, type StoredTextNote } from '../record/call-record.ts'
import { type TaskOfRow, taskOf } from '../record/task-of.ts'
import { rowText, textBesideReceipt } from '../row-text/row-text.ts'
import { useRepairText } from './repair-text.ts'
import { useTextReader } from '../row-text/use-text-reader.ts'
import { clientText } from './client-text.ts'
import { callAddress, sessionAddress } from './call-address.ts'
import { LongText } from './long-text.tsx'
import styles from './row-details.module.css'

/** The number of lines of a long text that are shown before it is unfolded. */
const lines = { details: 2, systemPrompt: 3, context: 4, input: 4, output: 5 } as const

interface FactsProps {
  readonly row: CallRow
  /** The receipt already shows the ratios. */
  readonly hasReceipt: boolean
}

/** All remaining facts of a row; absent ones have no line. */
export function Facts({ row, hasReceipt }: FactsProps) {
  const t = usageLogMessages.use()
  const lessonText = useLessonText()
  const repairText = useRepairText()
  const { record } = row
  const reader = useTextReader()
  const task = taskOf(row)
  const isError = row.type === LOG_TYPE.error
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('word.time')} text={dateTime(row.created_at)} />
        <RequestId id={row.request_id} />
        <CopiedFact label={t('fact.upstreamRequestId')} text={row.upstream_request_id} />
        <Fact label={t('fact.earlierRequestIds')} text={earlierRequestIds(row)} />
        <CopiedFact label={t('fact.answerId')} text={record.answer_id} />
        <Session id={row.session} />
        <Fact label={t('fact.affinity')} text={affinityText(row, t)} />
        <CopiedFact label={t('fact.ruleSession')} text={record.admin_info.affinity_session} />
        <Fact label={t('fact.client')} text={clientText(row)} />
        {task && <TaskFacts task={task} />}
        <Fact label={t('word.channel')} text={channelText(row)} />
        <Fact label={t('word.model')} text={mappingText(row, t)} />
        <Fact label={t('fact.servedModel')} text={record.admin_info.served_model} />
        <Fact label={t('fact.toldCost')} text={toldCostText(row, t)} />
        <Fact label={t('fact.unknownUsage')} text={record.admin_info.unknown_usage.join(', ')} />
        <Fact label={t('fact.reasoning')} text={reasoningText(row, t)} />
        <Fact label={t('fact.serviceTier')} text={tierText(row, t)} />
        <Fact label={t('fact.contextTier')} text={contextText(row, t)} />
        <Fact label={t('fact.dropped')} text={record.dropped.join(', ')} />
        <Fact label={t('fact.repairs')} text={record.repairs.map(repairText).join(' · ')} />
        <Fact label={t('fact.audio')} text={audioText(row, t)} />
        <Fact label={t('fact.address')} text={row.ip} />
        <Fact label={t('fact.errorCode')} text={record.error_code} />
        <Fact label={t('fact.lessons')} text={record.lessons.map(lessonText).join(' · ')} />
      </dl>
      {record.text_kept && <StoredTextMark kept={record.text_kept} />}
      <dl className={styles.texts}>
        <Long
          label={isError ? t('fact.error') : t('word.details')}
          text={hasReceipt ? textBesideReceipt(row, reader) : rowText(row, reader)}
          linesMax={lines.details}
        />
        <Long label={t('fact.reason')} text={refundReason(row)} linesMax={lines.details} />
        <Long label={t('fact.cause')} text={causeText(row)} linesMax={lines.details} />
        <Long label={t('word.systemPrompt')} text={record.system_prompt} linesMax={lines.systemPrompt} />
        <Long label={t('fact.override')} text={overrideText(row, t)} linesMax={lines.details} />
        <Long label={t('fact.context')} text={record.context} linesMax={lines.context} />
        <Long label={t('word.input')} text={record.input_content} linesMax={lines.input} />
        <Long label={t('word.output')} text={record.output_content} linesMax={lines.output} />
      </dl>
    </>
  )
}

/** Explains why the conversation was stored, and what was removed from it. */
function StoredTextMark({ kept }: { readonly kept: StoredTextNote }) {
  const t = usageLogMessages.use()
  return (
    <p className={styles.kept}>
      <Icon name="shield" sizePx={14} />
      <span>
        {t('kept')} {kept.redacted > 0 && t('kept.redacted', { count: groupedInteger(kept.redacted) })}{' '}
        {kept.is_cut && t('kept.cut')}
      </span>
    </p>
  )
}

/** The vendors' ids of the attempts before the last one. */
function earlierRequestIds({ record }: CallRow): string {
  const earlier = attemptsOf(record).slice(0, -1)
  return earlier.flatMap(({ upstream_id: id }) => (id === undefined ? [] : [id])).join(', ')
}

/** The reason for a refund. */
function refundReason({ type, content, record }: CallRow): string | undefined {
  if (type !== LOG_TYPE.refund || record.reason === undefined || record.reason === content) return undefined
  return reasonText(record.reason)
}

function TaskFacts({ task: { id, action, address } }: { readonly task: TaskOfRow }) {
  const t = usageLogMessages.use()
  return (
    <>
      <Fact label={t('word.action')} text={action && actionText(action)} />
      <div>
        <dt>{t('word.taskId')}</dt>
        <dd className={styles.inline}>
          <a className="code" href={address}>
            {id}
          </a>
          <CopyButton text={id} />
        </dd>
      </div>
    </>
  )
}

/** A link to this row, for another tab or another reader. */
function RequestId({ id }: { readonly id: string }) {
  const t = usageLogMessages.use()
  if (id === '') return null
  return (
    <div>
      <dt>{t('fact.requestId')}</dt>
      <dd className={styles.inline}>
        <a className="code" href={callAddress(id)}>
          {id}
        </a>
        <CopyButton text={id} />
      </dd>
    </div>
  )
}

/** An id for other places: for the vendor's support, for `GET /v1/generation`, or for "Why this channel?". */
function CopiedFact({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.inline}>
        <span className="code">{text}</span>
        <CopyButton text={text} />
      </dd>
    </div>
  )
}

/** A link to the calls of the session. */
function Session({ id }: { readonly id: string }) {
  const t = usageLogMessages.use()
  if (id === '') return null
  return (
    <div>
      <dt>{t('fact.session')}</dt>
      <dd className={styles.inline}>
        <a className="code" href={sessionAddress(id)}>
          {id}
        </a>
        <CopyButton text={id} />
      </dd>
    </div>
  )
}

function Fact({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )
}

interface LongProps {
  readonly label: string
  readonly text: string | undefined
  readonly linesMax: number
}

function Long({ label, text, linesMax }: LongProps) {
  if (text === undefined || text === '') return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <LongText text={text} linesMax={linesMax} />
      </dd>
    </>
  )
}

/** What affinity did, and the rule by which it did it, which only operators see. */
function affinityText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const { affinity, admin_info: info } = record
  if (affinity === undefined) return undefined
  const result = t(`affinity.${affinity}`)
  return info.affinity_rule === undefined
    ? result
    : t('affinity.byRule', { result, rule: info.affinity_rule })
}

function channelText(row: CallRow): string | undefined {
  if (row.channel === 0) return undefined
  return row.channel_name === '' ? `#${row.channel}` : `#${row.channel} ${row.channel_name}`
}

function mappingText({ record, model_name }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const actual = record.upstream_model_name
  if (!record.is_model_mapped || actual === undefined) return undefined
  return t('fact.mapping', { requested: model_name, actual })
}

function toldCostText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const { told_cost: amount, is_cost_doubted: isDoubted } = record.admin_info
  if (amount === undefined) return undefined
  return isDoubted ? t('fact.costDoubted', { amount }) : `$${amount}`
}

function reasoningText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const effort = record.reasoning_effort && t('fact.effort', { effort: record.reasoning_effort })
  const tokens = record.receipt?.usage?.reasoning
  const counted = tokens ? t('fact.reasoningTokens', { amount: groupedInteger(tokens) }) : undefined
  const parts = [effort, counted].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' · ') : undefined
}

function tierText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const { service_tier: tier, service_tier_ratio: ratio = 1 } = record
  if (tier === undefined) return undefined
  return ratio === 1 ? tier : t('fact.tierAt', { tier, ratio })
}

function contextText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  if (record.context_tier === undefined) return undefined
  const { above, ...factors } = record.context_tier
  return t('fact.contextAbove', { above: groupedInteger(above), ...factors })
}

/** The error detail for operators, if it contains more than the caller's error message. */
function causeText({ content, record }: CallRow): string | undefined {
  const { detail } = record.admin_info
  if (detail === undefined || content.includes(detail)) return undefined
  // For errors of the gateway itself, the detail is the error code followed by the same sentence.
  return detail.startsWith(`${record.error_code} `) ? undefined : detail
}

/** Changes to the request that the channel's settings caused. */
function overrideText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const notes = record.is_system_prompt_overwritten ? [t('fact.promptBefore'), ...record.po] : record.po
  return notes.length > 0 ? notes.join('\n') : undefined
}

function audioText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  if (!record.audio && !record.ws) return undefined
  return t('fact.audioSplit', {
    audioInput: groupedInteger(record.audio_input),
    audioOutput: groupedInteger(record.audio_output),
    textInput: groupedInteger(record.text_input),
    textOutput: groupedInteger(record.text_output),
  })
}
