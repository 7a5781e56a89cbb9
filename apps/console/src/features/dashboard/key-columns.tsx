import type { ReactNode } from 'react'
import { abbreviated, groupedInteger } from '../../shared/format/money.ts'
import type { Translate } from '../../shared/i18n/messages.ts'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import type { DashboardKey } from './i18n.ts'
import { isKnown, marginShare, UNKNOWN } from './margin.ts'
import { percent } from './percent.ts'
import { type KeySums, averageFirstMs, averageMs, cachedShare, errorShare } from './series/series.ts'
import { milliseconds } from './step-table.tsx'

interface KeyColumnsInput {
  readonly title: string
  readonly name: (key: KeySums) => ReactNode
  readonly minutes: number
  /** Costs of calls are shown only to operators. */
  readonly hasCosts: boolean
  readonly t: Translate<DashboardKey>
}

/** Columns for all values of a key over the range. */
export function keyColumns({
  title,
  name,
  minutes,
  hasCosts,
  t,
}: KeyColumnsInput): readonly Column<KeySums>[] {
  const numbers: readonly Omit<Column<KeySums>, 'isNumber'>[] = [
    amountColumn({ key: 'spent', title: t('column.spent'), phone: 'value', amount: (key) => key.quota }),
    ...(hasCosts ? costColumns(t) : []),
    { key: 'calls', title: t('column.calls'), phone: 'detail', render: (key) => groupedInteger(key.calls) },
    { key: 'rpm', title: t('column.rpm'), phone: 'more', render: (key) => perMinute(key.calls / minutes) },
    {
      key: 'input',
      title: t('column.input'),
      phone: 'more',
      render: (key) => groupedInteger(key.prompt_tokens),
    },
    {
      key: 'cached',
      title: t('figure.cached'),
      phone: 'more',
      render: (key) => percent(cachedShare(key)),
    },
    amountColumn({ key: 'saved', title: t('column.saved'), phone: 'more', amount: (key) => key.cache_saved }),
    {
      key: 'output',
      title: t('column.output'),
      phone: 'more',
      render: (key) => groupedInteger(key.completion_tokens),
    },
    {
      key: 'tpm',
      title: t('column.tpm'),
      phone: 'more',
      render: (key) => perMinute((key.prompt_tokens + key.completion_tokens) / minutes),
    },
    { key: 'errors', title: t('column.errors'), phone: 'detail', render: (key) => percent(errorShare(key)) },
    {
      key: 'duration',
      title: t('column.duration'),
      phone: 'detail',
      render: (key) => milliseconds(averageMs(key)),
    },
    {
      key: 'first',
      title: t('column.first'),
      phone: 'more',
      render: (key) => milliseconds(averageFirstMs(key)),
    },
  ]
  return [
    { key: 'key', title, isFixed: true, phone: 'title', render: name },
    ...numbers.map((column) => ({ ...column, isNumber: true })),
  ]
}

function costColumns(t: KeyColumnsInput['t']): readonly Omit<Column<KeySums>, 'isNumber'>[] {
  return [
    amountColumn({
      key: 'cost',
      title: t('figure.cost'),
      phone: 'more',
      amount: (key) => (isKnown(key) ? key.cost : undefined),
      instead: unknown,
    }),
    amountColumn({
      key: 'margin',
      title: t('figure.margin'),
      phone: 'more',
      amount: (key) => (isKnown(key) ? key.costed_quota - key.cost : undefined),
      instead: unknown,
    }),
    { key: 'share', title: t('figure.share'), phone: 'more', render: (key) => marginShare(key) },
  ]
}

function unknown(): string {
  return UNKNOWN
}

function perMinute(rate: number): string {
  return rate < 100 ? rate.toFixed(2) : abbreviated(Math.round(rate))
}
