import type { Operations } from '@tollgate/contract/operations'
import { Figure, Figures } from '../../shared/figures/figures.tsx'
import { duration } from '../../shared/format/time.ts'
import { operationMessages } from './i18n.ts'

type Translate = ReturnType<typeof operationMessages.use>

/** `undefined` while loading. */
export function OperationFigures({ operations: now }: { readonly operations: Operations | undefined }) {
  const t = operationMessages.use()
  return (
    <Figures isBusy={now === undefined}>
      <Figure label={t('figure.calls')} value={now && rate(now.calls_per_second)} />
      <Figure label={t('figure.errors')} value={now && errorShare(now)} />
      <Figure
        label={t('figure.slowest')}
        value={now && (now.p95_ms === 0 ? '–' : duration(now.p95_ms))}
        hint={now && now.p95_ms > 0 ? t('figure.median', { time: duration(now.p50_ms) }) : undefined}
      />
      <Figure
        label={t('figure.open')}
        value={now && String(now.in_flight)}
        hint={now && t('figure.sockets', { count: now.sockets })}
      />
      <Figure
        label={t('figure.holds')}
        value={now && String(now.open_holds)}
        hint={now && t('figure.oldest', { seconds: Math.round(now.oldest_hold_seconds) })}
      />
      <Figure
        label={t('figure.queue')}
        value={now && String(now.queued)}
        hint={now && t('figure.journal', { count: now.journaled })}
      />
      <Figure
        label={t('figure.outbox')}
        value={now && String(now.outbox_waiting)}
        hint={t('figure.outboxHelp')}
      />
      <Figure
        label={t('figure.ledger')}
        value={now && ledgerText(t, now)}
        hint={now && t('figure.lag', { seconds: now.fold_lag_seconds.toFixed(1) })}
      />
    </Figures>
  )
}

/** Two digits below ten, so that a quiet site does not show 0. */
export function rate(perSecond: number): string {
  return perSecond >= 10 || perSecond === 0 ? String(Math.round(perSecond)) : perSecond.toFixed(2)
}

export function errorShare({
  calls_per_second: calls,
  failed_per_second: failed,
}: Pick<Operations, 'calls_per_second' | 'failed_per_second'>): string {
  return calls === 0 ? '–' : `${((failed * 100) / calls).toFixed(1)}%`
}

function ledgerText(t: Translate, now: Operations): string {
  if (!now.is_ledger_writable) return t('ledger.readOnly')
  return now.audit_findings > 0 ? t('ledger.findings', { count: now.audit_findings }) : t('ledger.ok')
}
