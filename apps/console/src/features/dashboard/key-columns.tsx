import { abbreviated, groupedInteger } from '../../shared/format/money.ts'
import type { Money } from '../../shared/format/use-money.ts'
import type { Translate } from '../../shared/i18n/messages.ts'
import type { Column } from '../../shared/table/column.ts'
import type { DashboardKey } from './i18n.ts'
import { costText, marginShare, marginText } from './margin.ts'
import { percent } from './percent.ts'
import { type KeySums, averageFirstMs, averageMs, errorShare } from './series/series.ts'
import { milliseconds } from './step-table.tsx'

interface KeyColumnsInput {
  readonly title: string
  readonly keyName: (key: KeySums) => string
  readonly minutes: number
  /** What calls cost is for operators. */
  readonly hasCosts: boolean
  readonly money: Money
  readonly t: Translate<DashboardKey>
}

/** Everything that is known of a key over the range. */
export function keyColumns({
  title,
  keyName,
  minutes,
  hasCosts,
  money,
  t,
}: KeyColumnsInput): readonly Column<KeySums>[] {
  const numbers: readonly Omit<Column<KeySums>, 'isNumber'>[] = [
    { key: 'spent', title: t('column.spent'), phone: 'value', render: (key) => money.exact(key.quota) },
    ...(hasCosts ? costColumns({ money, t }) : []),
    { key: 'calls', title: t('column.calls'), phone: 'detail', render: (key) => groupedInteger(key.calls) },
    { key: 'rpm', title: t('column.rpm'), render: (key) => perMinute(key.calls / minutes) },
    { key: 'input', title: t('column.input'), render: (key) => groupedInteger(key.prompt_tokens) },
    { key: 'output', title: t('column.output'), render: (key) => groupedInteger(key.completion_tokens) },
    {
      key: 'tpm',
      title: t('column.tpm'),
      render: (key) => perMinute((key.prompt_tokens + key.completion_tokens) / minutes),
    },
    { key: 'errors', title: t('column.errors'), phone: 'detail', render: (key) => percent(errorShare(key)) },
    {
      key: 'duration',
      title: t('column.duration'),
      phone: 'detail',
      render: (key) => milliseconds(averageMs(key)),
    },
    { key: 'first', title: t('column.first'), render: (key) => milliseconds(averageFirstMs(key)) },
  ]
  return [
    { key: 'key', title, isFixed: true, phone: 'title', render: keyName },
    ...numbers.map((column) => ({ ...column, isNumber: true })),
  ]
}

function costColumns({
  money,
  t,
}: Pick<KeyColumnsInput, 'money' | 't'>): readonly Omit<Column<KeySums>, 'isNumber'>[] {
  return [
    { key: 'cost', title: t('figure.cost'), render: (key) => costText(key, money.exact) },
    { key: 'margin', title: t('figure.margin'), render: (key) => marginText(key, money.exact) },
    { key: 'share', title: t('figure.share'), render: (key) => marginShare(key) },
  ]
}

function perMinute(rate: number): string {
  return rate < 100 ? rate.toFixed(2) : abbreviated(Math.round(rate))
}
