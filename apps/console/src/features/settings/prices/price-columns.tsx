import { groupedInteger } from '../../../shared/format/money.ts'
import type { Column } from '../../../shared/table/column.ts'
import { settingMessages } from '../i18n.ts'
import { partLabels, type PriceUnit } from './part-labels.ts'
import type { ExtraBook, Named } from './price-extras.ts'
import { modeOf, type PriceRow, priceParts } from './price-rows.ts'
import { pricesOf } from './price-units.ts'

/** What the table shows: every part of a price in one unit, or what stands beside them. */
export type PriceView = PriceUnit | 'extras'

export function usePriceColumns(view: PriceView, extras: ExtraBook | undefined): readonly Column<PriceRow>[] {
  const t = settingMessages.use()
  const first: readonly Column<PriceRow>[] = [
    {
      key: 'model',
      title: t('prices.model'),
      isFixed: true,
      phone: 'title',
      render: (row) => <span className="code">{row.model}</span>,
    },
    {
      key: 'mode',
      title: t('prices.mode'),
      phone: 'detail',
      render: (row) => t(modeLabels[modeOf(row)]),
    },
  ]
  if (view === 'extras') return [...first, ...(extras ? extraColumns(t, extras) : [])]
  return [...first, ...priceParts.map((part) => partColumn(part, view, t(partLabels[view][part])))]
}

function partColumn(part: (typeof priceParts)[number], unit: PriceUnit, title: string): Column<PriceRow> {
  return {
    key: part,
    title,
    isNumber: true,
    ...(part === 'ratio' && { phone: 'value' as const }),
    render: (row) => {
      const values = unit === 'money' ? pricesOf(row.parts) : row.parts
      const value = part !== 'price' && modeOf(row) === 'call' ? undefined : values[part]
      if (value === undefined) return nothing
      return unit === 'money' || part === 'price' ? `$${value}` : value
    },
  }
}

/** One for each tool and tier that has a price anywhere, and one for long calls. What follows a wider entry is muted. */
function extraColumns(
  t: ReturnType<typeof settingMessages.use>,
  extras: ExtraBook,
): readonly Column<PriceRow>[] {
  const named = (kind: 'tools' | 'tiers', name: string, sign: string): Column<PriceRow> => ({
    key: `${kind}:${name}`,
    title: kind === 'tools' ? t('prices.toolColumn', { tool: name }) : t('prices.tierColumn', { tier: name }),
    isNumber: true,
    render: ({ model }) => figure(extras.own(model)[kind], extras.inherited(model)[kind], { name, sign }),
  })
  return [
    ...extras.toolNames.map((tool) => named('tools', tool, '$')),
    ...extras.tierNames.map((tier) => named('tiers', tier, '× ')),
    {
      key: 'lengths',
      title: t('prices.lengths'),
      phone: 'value',
      render: (row) => {
        const own = extras.own(row.model).lengths
        const lengths = own ?? extras.inherited(row.model).lengths ?? []
        if (lengths.length === 0 || modeOf(row) === 'call') return nothing
        const text = lengths.map(({ above }) => `> ${groupedInteger(above)}`).join(', ')
        return own === undefined ? <span className="muted">{text}</span> : text
      },
    },
  ]
}

function figure(own: Named, inherited: Named, { name, sign }: { name: string; sign: string }) {
  const value = own[name] ?? inherited[name] ?? 0
  if (value === 0) return nothing
  const text = `${sign}${value}`
  return own[name] === undefined ? <span className="muted">{text}</span> : text
}

const nothing = <span className="muted">–</span>
const modeLabels = { call: 'prices.byCall', usage: 'prices.byUsage', none: 'prices.unset' } as const
