import { CopyButton } from '../../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import { dateTime } from '../../../shared/format/time.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { type UsageLogKey, usageLogMessages } from '../i18n.ts'
import type { CallRow } from '../table/call-row.ts'
import { LongText } from './long-text.tsx'
import styles from './row-details.module.css'

/** How many lines of a long text stand there before it is opened. */
const lines = { details: 2, systemPrompt: 3, context: 4, input: 4, output: 5 } as const

interface FactsProps {
  readonly row: CallRow
  /** The ratios stand in the receipt already. */
  readonly hasReceipt: boolean
}

/** Everything else a row says. What it does not say has no line. */
export function Facts({ row, hasReceipt }: FactsProps) {
  const t = usageLogMessages.use()
  const { record } = row
  const details = hasReceipt && RATIOS_IN_WORDS.test(row.content) ? '' : row.content
  return (
    <>
      <dl className={styles.facts}>
        <Fact label={t('fact.time')} text={dateTime(row.created_at)} />
        <Fact label={t('fact.requestId')} text={row.request_id} isCopyable />
        <Fact label={t('fact.channel')} text={channelText(row)} />
        <Fact label={t('fact.model')} text={mappingText(row, t)} />
        <Fact label={t('fact.reasoning')} text={reasoningText(row, t)} />
        <Fact label={t('fact.audio')} text={audioText(row, t)} />
        <Fact label={t('fact.address')} text={row.ip} />
        <Fact label={t('fact.errorCode')} text={record.error_code} />
      </dl>
      <dl className={styles.texts}>
        <Long label={t('fact.error')} text={record.admin_info.detail} linesMax={lines.details} />
        <Long label={t('fact.details')} text={details} linesMax={lines.details} />
        <Long label={t('fact.systemPrompt')} text={record.system_prompt} linesMax={lines.systemPrompt} />
        <Long label={t('fact.context')} text={record.context} linesMax={lines.context} />
        <Long label={t('fact.input')} text={record.input_content} linesMax={lines.input} />
        <Long label={t('fact.output')} text={record.output_content} linesMax={lines.output} />
      </dl>
    </>
  )
}

/** The text of the family that only repeats the ratios, without a note behind them. */
const RATIOS_IN_WORDS = /^模型(倍率|价格|固定价格) [^（,]*$/

interface FactProps {
  readonly label: string
  readonly text: string | undefined
  readonly isCopyable?: boolean
}

function Fact({ label, text, isCopyable = false }: FactProps) {
  if (text === undefined || text === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {isCopyable ? (
          <span className={styles.inline}>
            <span className="code">{text}</span>
            <CopyButton text={text} />
          </span>
        ) : (
          text
        )}
      </dd>
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

function channelText(row: CallRow): string | undefined {
  if (row.channel === 0) return undefined
  return row.channel_name === '' ? `#${row.channel}` : `#${row.channel} ${row.channel_name}`
}

function mappingText({ record, model_name }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const actual = record.upstream_model_name
  if (!record.is_model_mapped || actual === undefined) return undefined
  return t('fact.mapping', { requested: model_name, actual })
}

function reasoningText({ record }: CallRow, t: Translate<UsageLogKey>): string | undefined {
  const effort = record.reasoning_effort && t('fact.effort', { effort: record.reasoning_effort })
  const tokens = record.receipt?.usage?.reasoning
  const counted = tokens ? t('fact.reasoningTokens', { amount: groupedInteger(tokens) }) : undefined
  const parts = [effort, counted].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' · ') : undefined
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
