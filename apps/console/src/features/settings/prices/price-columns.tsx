import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import { currentLanguage } from '../../../shared/i18n/language.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import type { Column } from '../../../shared/table/column.ts'
import { settingMessages } from '../i18n/index.ts'
import { partLabels, type PriceUnit } from './part-labels.ts'
import type { EffectivePart, EffectivePrices } from './effective-price.ts'
import type { PriceExtras, Named } from './price-extras.ts'
import { modeOf, type PricePart, type PriceRow, priceParts } from './price-rows.ts'

/** The columns of the table: all parts of a price in one unit, or the extras (tools, tiers, long calls). */
export type PriceView = PriceUnit | 'extras'

interface PriceColumnsInput {
  readonly view: PriceView
  readonly extras: PriceExtras | undefined
  readonly effective: EffectivePrices
}

export function usePriceColumns({ view, extras, effective }: PriceColumnsInput): readonly Column<PriceRow>[] {
  const t = settingMessages.use()
  const first: readonly Column<PriceRow>[] = [
    {
      key: 'model',
      title: t('word.model'),
      isFixed: true,
      phone: 'title',
      render: (row) => <span className="code">{row.model}</span>,
    },
    {
      key: 'mode',
      title: t('prices.mode'),
      phone: 'detail',
      render: (row) => t(modeLabels[effective(row).mode]),
    },
  ]
  if (view === 'extras') return [...first, ...(extras ? extraColumns(t, extras) : [])]
  return [...first, ...priceParts.map((part) => partColumn(part, { unit: view, effective, t }))]
}

interface PartColumnInput {
  readonly unit: PriceUnit
  readonly effective: EffectivePrices
  readonly t: ReturnType<typeof settingMessages.use>
}

function partColumn(part: PricePart, { unit, effective, t }: PartColumnInput): Column<PriceRow> {
  const sign = unit === 'money' || part === 'price' ? '$' : ''
  return {
    key: part,
    title: t(partLabels[unit][part]),
    isNumber: true,
    phone: part === 'ratio' ? 'value' : 'more',
    render: (row) => {
      const found = effective(row).parts[part]
      if (found === undefined) return unused(row, part, unit)
      const text = `${sign}${unit === 'money' ? found.price : short(found.ratio)}`
      if (found.source === 'set') return text
      return (
        <span className="muted" title={sourceText(found, t)}>
          {text}
        </span>
      )
    },
  }
}

const RATIO_DIGITS = 8

function short(ratio: number): number {
  return Number(ratio.toPrecision(RATIO_DIGITS))
}

function sourceText({ source, family }: EffectivePart, t: PartColumnInput['t']): string {
  return source === 'family' ? t('prices.fromFamily', { family }) : t('prices.builtIn')
}

/** A stored ratio that has no effect, because the model has no price, is shown unchanged. */
function unused({ parts }: PriceRow, part: PricePart, unit: PriceUnit) {
  const isStored = unit === 'ratio' && parts.price === undefined && parts[part] !== undefined
  return isStored ? short(parts[part] ?? 0) : nothing
}

/**
 * One column for each tool and tier that has a price anywhere, and one for long calls. Values from a more
 * general entry are muted.
 */
function extraColumns(
  t: ReturnType<typeof settingMessages.use>,
  extras: PriceExtras,
): readonly Column<PriceRow>[] {
  const named = (kind: 'tools' | 'tiers', name: string, sign: string): Column<PriceRow> => ({
    key: `${kind}:${name}`,
    title:
      kind === 'tools'
        ? t('prices.toolColumn', { tool: formatFee(name, currentLanguage()) })
        : t('prices.tierColumn', { tier: name }),
    isNumber: true,
    render: ({ model }) => figure(extras.own(model)[kind], extras.inherited(model)[kind], { name, sign }),
  })
  return [
    ...extras.pricedTools.map((tool) => named('tools', tool, '$')),
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
const modeLabels = { call: 'word.byCall', usage: 'word.byUsage', none: 'prices.unset' } as const
