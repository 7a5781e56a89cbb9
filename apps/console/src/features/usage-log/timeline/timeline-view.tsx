import type { LogRow } from '@tollgate/contract/log'
import { groupedInteger } from '../../../shared/format/money.ts'
import { duration } from '../../../shared/format/time.ts'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { type UsageLogKey, usageLogMessages } from '../i18n/index.ts'
import type { CallRecord, SettleFlag } from '../record/call-record.ts'
import {
  type FailedAttempt,
  type Settled,
  type TimelineStep,
  readLeaving,
  timelineOf,
  type TriedChannel,
} from './timeline.ts'
import styles from './timeline-view.module.css'

/** The timeline of a call, from its arrival to its settlement. */
export function TimelineView({ row, record }: { readonly row: LogRow; readonly record: CallRecord }) {
  const t = usageLogMessages.use()
  const steps = timelineOf(row, record)
  return (
    <section>
      <h2 className={styles.title}>{t('timeline')}</h2>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the steps of a past call never move
          <li key={index} className={styles.step}>
            <span className={styles.moment}>{momentOf(step)}</span>
            <span>{wordsOf({ step, row, t })}</span>
          </li>
        ))}
      </ol>
      {record.flags.length > 0 && (
        <ul className={styles.flags}>
          {record.flags.map((flag) => (
            <li key={flag}>
              <strong>{t(`flag.${flagWord(flag)}`)}</strong> {flagMeaning(flag, { row, record, t })}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function momentOf(step: TimelineStep): string {
  return 'atMs' in step && step.atMs !== undefined ? duration(step.atMs) : ''
}

interface StepInput<Step> {
  readonly step: Step
  readonly row: LogRow
  readonly t: Translate<UsageLogKey>
}

type StepWords = {
  readonly [Type in TimelineStep['type']]: (input: StepInput<Extract<TimelineStep, { type: Type }>>) => string
}

const words: StepWords = {
  admitted: ({ step, t }) =>
    step.heldUnits === undefined
      ? t('step.admitted')
      : t('step.admittedHeld', { units: groupedInteger(step.heldUnits) }),
  'attempt-failed': ({ step, row, t }) => failedWords(step, row, t),
  accepted: ({ step, row, t }) => t('step.accepted', { channel: channelWords(step.attempt, row, t) }),
  'first-token': ({ t }) => t('step.firstToken'),
  settled: ({ step, t }) => `${t(`ending.${step.ending}`)} · ${settledWords(step, t)}`,
  refused: ({ t }) => t('step.refused'),
  released: ({ step, t }) =>
    step.heldUnits === undefined
      ? t('step.released')
      : t('step.releasedHeld', { units: groupedInteger(step.heldUnits) }),
}

/**
 * The type assertion is needed because the compiler cannot see that a step and its entry in the table have
 * the same type.
 */
function wordsOf<Step extends TimelineStep>(input: StepInput<Step>): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return (words[input.step.type] as (input: StepInput<Step>) => string)(input)
}

function settledWords({ units, returnedUnits }: Settled, t: Translate<UsageLogKey>): string {
  const settled = groupedInteger(units)
  if (returnedUnits === undefined) return t('step.settled', { units: settled })
  return t('step.settledReturned', { units: settled, returned: groupedInteger(returnedUnits) })
}

function failedWords(step: FailedAttempt, row: LogRow, t: Translate<UsageLogKey>): string {
  const { attempt, isLast, isSameChannelRetried } = step
  const next = isLast ? t('step.noneLeft') : t(isSameChannelRetried ? 'step.askedAgain' : 'step.nextChannel')
  const values = {
    channel: channelWords(attempt, row, t),
    status: attempt.status,
    reason: attempt.outcome,
    next,
  }
  if (attempt.status > 0) return t('step.answered', values)
  return attempt.outcome === '' ? t('step.failed', values) : t('step.failedBecause', values)
}

/** The name of a channel is known only if it served the call; others are shown by id. */
function channelWords(tried: TriedChannel, row: LogRow, t: Translate<UsageLogKey>): string {
  const { channelId, group, isResent } = tried
  const isServing = String(row.channel) === channelId && row.channel_name !== ''
  const channel = isServing ? `#${channelId} ${row.channel_name}` : `#${channelId}`
  const placed = group === undefined ? channel : t('step.inGroup', { channel, group })
  return isResent === true ? t('step.resent', { channel: placed }) : placed
}

interface FlagInput {
  readonly row: LogRow
  readonly record: CallRecord
  readonly t: Translate<UsageLogKey>
}

function flagMeaning(flag: SettleFlag, { row, record, t }: FlagInput): string {
  const leaving = flag === 'client_gone' ? readLeaving(row, record) : undefined
  if (leaving === undefined) return t(`flag.${flagWord(flag)}.meaning`)
  return t(`left.${leaving.end}`, { left: duration(leaving.leftMs), ended: duration(leaving.endedMs) })
}

/** An ending such as `_other` would make the name of a text a plural form. */
function flagWord(flag: SettleFlag): Exclude<SettleFlag, 'served_other'> | 'servedModel' {
  return flag === 'served_other' ? 'servedModel' : flag
}
