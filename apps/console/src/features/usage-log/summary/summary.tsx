import type { logStatSchema } from '@tollgate/contract/log'
import type { z } from 'zod'
import { Figure, Figures } from '../../../shared/figures/figures.tsx'
import { abbreviated, groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { usageLogMessages } from '../i18n/index.ts'

export type LogStat = z.output<typeof logStatSchema>

interface SummaryProps {
  readonly stat: LogStat | undefined
  readonly isFailed: boolean
}

/** Sums over everything that matches the filters. If loading them fails, the rows below are unaffected. */
export function Summary({ stat, isFailed }: SummaryProps) {
  const t = usageLogMessages.use()
  const { exact, summary } = useMoney()
  const unknown = isFailed ? '–' : undefined
  const count = (value: number | undefined) =>
    value === undefined ? { value: unknown } : { value: abbreviated(value), hint: groupedInteger(value) }
  const rate = (value: number | undefined) => (value === undefined ? unknown : abbreviated(value))
  return (
    <Figures isBusy={stat === undefined && !isFailed}>
      <Figure
        label={t('summary.spent')}
        value={stat ? summary(stat.quota) : unknown}
        hint={stat && exact(stat.quota)}
      />
      <Figure label={t('word.calls')} {...count(stat?.count)} />
      <Figure label={t('summary.tokens')} {...count(stat?.token)} />
      <Figure label={t('summary.input')} {...count(stat?.prompt_tokens)} />
      <Figure label={t('summary.output')} {...count(stat?.completion_tokens)} />
      <Figure label="RPM" hint={t('summary.rpm')} value={rate(stat?.rpm)} />
      <Figure label="TPM" hint={t('summary.tpm')} value={rate(stat?.tpm)} />
    </Figures>
  )
}
