import { useQuery } from '@tanstack/react-query'
import { Figure, Figures } from '../../shared/figures/figures.tsx'
import { abbreviated, groupedInteger } from '../../shared/format/money.ts'
import { duration } from '../../shared/format/time.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { selfQuery } from '../../shared/session/self.ts'
import { useInterrupted, useRates } from './api.ts'
import { dashboardMessages } from './i18n.ts'
import { costText, marginShare, marginText } from './margin.ts'
import { percent } from './percent.ts'
import type { Span } from './span.ts'
import { averageMs, cachedShare, errorShare, totalOf } from './series/series.ts'

interface FiguresProps {
  readonly isOfAll: boolean
  readonly span: Span
  /** Totals over the whole range; `undefined` while loading. */
  readonly total: ReturnType<typeof totalOf> | undefined
  /** Loading failed, so no total will arrive. */
  readonly isFailed: boolean
}

/** The key figures of the account, or of the whole site, in one row. */
export function DashboardFigures({ isOfAll, span, total, isFailed }: FiguresProps) {
  const t = dashboardMessages.use()
  const { exact, summary } = useMoney()
  const self = useQuery(selfQuery)
  const rates = useRates(isOfAll)
  const interrupted = useInterrupted(isOfAll, span)
  const tokens = total && total.prompt_tokens + total.completion_tokens
  const failed = total && errorShare(total)
  const average = total && averageMs(total)
  const unknown = isFailed ? '–' : undefined
  return (
    <Figures>
      <Figure
        label={t('figure.balance')}
        value={self.data && summary(self.data.quota)}
        hint={self.data && exact(self.data.quota)}
      />
      <Figure
        label={t('figure.spent')}
        value={total ? summary(total.quota) : unknown}
        hint={total && exact(total.quota)}
      />
      {isOfAll && (
        <Figure
          label={t('figure.margin')}
          value={total ? marginShare(total) : unknown}
          hint={
            total &&
            t('figure.marginHint', { cost: costText(total, exact), margin: marginText(total, exact) })
          }
        />
      )}
      <Figure
        label={t('figure.calls')}
        value={total ? abbreviated(total.calls) : unknown}
        hint={total && groupedInteger(total.calls)}
      />
      <Figure
        label={t('figure.tokens')}
        value={tokens === undefined ? unknown : abbreviated(tokens)}
        hint={tokens === undefined ? undefined : t('figure.tokensHint', { tokens: groupedInteger(tokens) })}
      />
      <Figure
        label={t('figure.cached')}
        value={total ? percent(cachedShare(total)) : unknown}
        hint={
          total &&
          t('figure.cachedHint', {
            cached: groupedInteger(total.cached_tokens),
            input: groupedInteger(total.prompt_tokens),
          })
        }
      />
      <Figure
        label={t('figure.saved')}
        value={total ? summary(total.cache_saved) : unknown}
        hint={total && t('figure.savedHint', { saved: exact(total.cache_saved) })}
      />
      <Figure label="RPM" value={rates.data && groupedInteger(rates.data.rpm)} hint={t('figure.rpm')} />
      <Figure label="TPM" value={rates.data && abbreviated(rates.data.tpm)} hint={t('figure.tpm')} />
      <Figure
        label={t('figure.errors')}
        value={total ? percent(failed) : unknown}
        hint={total && t('figure.errorsHint', { errors: groupedInteger(total.errors) })}
      />
      <Figure
        label={t('figure.duration')}
        value={total ? (average === undefined ? '–' : duration(average)) : unknown}
        hint={t('figure.durationHint')}
      />
      {isOfAll && interrupted.data !== undefined && interrupted.data.calls > 0 && (
        <Figure
          label={t('figure.interrupted')}
          value={groupedInteger(interrupted.data.calls)}
          hint={t('figure.interruptedHint')}
        />
      )}
    </Figures>
  )
}
