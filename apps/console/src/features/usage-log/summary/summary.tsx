import type { logStatSchema } from '@tollgate/contract/log'
import type { z } from 'zod'
import { abbreviated, groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { usageLogMessages } from '../i18n.ts'
import styles from './summary.module.css'

export type LogStat = z.output<typeof logStatSchema>

interface SummaryProps {
  readonly stat: LogStat | undefined
  readonly isFailed: boolean
}

/** The sums over everything that matches the filters. A failure here leaves the rows below as they are. */
export function Summary({ stat, isFailed }: SummaryProps) {
  const t = usageLogMessages.use()
  const { exact } = useMoney()
  return (
    <dl className={styles.summary} aria-busy={stat === undefined && !isFailed}>
      <Figure label={t('summary.spent')} value={stat && { shown: exact(stat.quota) }} isFailed={isFailed} />
      <Figure label={t('summary.calls')} value={stat && count(stat.count)} isFailed={isFailed} />
      <Figure label={t('summary.tokens')} value={stat && count(stat.token)} isFailed={isFailed} />
      <Figure label={t('summary.input')} value={stat && count(stat.prompt_tokens)} isFailed={isFailed} />
      <Figure label={t('summary.output')} value={stat && count(stat.completion_tokens)} isFailed={isFailed} />
      <Figure label="RPM" hint={t('summary.rpm')} value={stat && count(stat.rpm)} isFailed={isFailed} />
      <Figure label="TPM" hint={t('summary.tpm')} value={stat && count(stat.tpm)} isFailed={isFailed} />
    </dl>
  )
}

function count(value: number): FigureValue {
  return { shown: abbreviated(value), whole: groupedInteger(value) }
}

interface FigureValue {
  readonly shown: string
  /** Every digit, when the shown text leaves some out. */
  readonly whole?: string
}

interface FigureProps {
  readonly label: string
  readonly hint?: string
  readonly value: FigureValue | undefined
  readonly isFailed: boolean
}

function Figure({ label, hint, value, isFailed }: FigureProps) {
  return (
    <div className={styles.figure} title={hint}>
      <dt>{label}</dt>
      <dd title={value?.whole}>
        {value?.shown ?? (isFailed ? '–' : <span className={styles.placeholder} aria-hidden="true" />)}
      </dd>
    </div>
  )
}
