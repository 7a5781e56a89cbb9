import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import type { PricingRow } from '@tollgate/contract/pricing'
import type { ReactNode } from 'react'
import { groupedInteger } from '../../../shared/format/money.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import type { PriceGroup } from '../api.ts'
import { pricingMessages } from '../i18n/index.ts'
import { isByCall, isBySecond, lineWord, priceLines, priceText, ratioText } from '../prices.ts'
import styles from './page.module.css'

interface InGroup {
  readonly row: PricingRow
  readonly group: PriceGroup
}

/** The price of each kind of token, or the price per call. */
export function KindPrices({ row, group }: InGroup) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const heads = isByCall(row)
    ? [t('word.kind'), t(isBySecond(row) ? 'model.price' : 'model.perCall')]
    : [t('word.kind'), t('model.ratioToInput'), t('model.perMillion')]
  const rows = priceLines(row, group.ratio).map(({ name, ratio, price }) => {
    const figures = isByCall(row) ? [priceText(price, rule)] : [ratioText(ratio), priceText(price, rule)]
    return { key: name, cells: [t(lineWord(row, name)), ...figures] }
  })
  return <Prices title={t('model.prices')} heads={heads} rows={rows} />
}

/** The price per second of a video for each quality that has its own price. */
export function QualityPrices({ row, group }: InGroup) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  if (row.quality_prices.length === 0) return null
  const rows = row.quality_prices.map((price) => ({
    key: price.quality,
    cells: [
      <code key="quality">{price.quality}</code>,
      t(isByCall({ ...row, ...price }) ? 'model.aSecond' : 'model.perMillion'),
      priceText(priceLines({ ...row, ...price }, group.ratio)[0]?.price ?? 0, rule),
    ],
  }))
  const heads = [t('model.quality'), t('model.unit'), t('model.price')]
  return <Prices title={t('model.qualities')} heads={heads} rows={rows} />
}

/** What the vendor takes beside tokens, if the model has any of it. */
export function ToolPrices({ row, group }: InGroup) {
  const t = pricingMessages.use()
  const language = useLanguage()
  const { rule } = useMoney()
  const tools = Object.entries(row.tool_prices)
  if (tools.length === 0) return null
  const rows = tools.map(([tool, price]) => ({
    key: tool,
    cells: [
      <span key="tool" title={tool}>
        {formatFee(tool, language)}
      </span>,
      priceText(price * group.ratio, rule),
    ],
  }))
  return <Prices title={t('model.tools')} heads={[t('word.kind'), t('model.perThousand')]} rows={rows} />
}

/** Prices in other service tiers, if the model has any. */
export function TierPrices({ row, group }: InGroup) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const tiers = Object.entries(row.tier_ratios)
  if (tiers.length === 0) return null
  const lines = priceLines(row, group.ratio).slice(0, 2)
  const rows = tiers.map(([tier, ratio]) => ({
    key: tier,
    cells: [
      <code key="tier">{tier}</code>,
      ratioText(ratio),
      ...lines.map(({ price }) => priceText(price * ratio, rule)),
    ],
  }))
  const names = lines.map(({ name }) => t(`line.${name}`))
  return (
    <Prices title={t('word.tiers')} heads={[t('model.tier'), t('model.tierRatio'), ...names]} rows={rows} />
  )
}

/** Prices per token of a long call, if the model has separate ones. */
export function ContextPrices({ row, group }: InGroup) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const tiers = row.context_tiers
  if (tiers.length === 0) return null
  const prices = tiers.map((tier) => priceLines(row, group.ratio, tier))
  const rows = priceLines(row, group.ratio).map(({ name }, place) => ({
    key: name,
    cells: [t(`line.${name}`), ...prices.map((lines) => priceText(lines[place]?.price ?? 0, rule))],
  }))
  const lengths = tiers.map(({ above }) => t('model.above', { above: groupedInteger(above) }))
  return <Prices title={t('model.context')} heads={[t('word.kind'), ...lengths]} rows={rows} />
}

/** The main prices for each group. */
export function GroupPrices({
  row,
  groups,
}: {
  readonly row: PricingRow
  readonly groups: readonly PriceGroup[]
}) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  if (groups.length < 2) return null
  const names = priceLines(row, 1)
    .slice(0, 2)
    .map(({ name }) => t(`line.${name}`))
  const rows = groups.map(({ name, ratio }) => ({
    key: name,
    cells: [
      name,
      ratioText(ratio),
      ...priceLines(row, ratio)
        .slice(0, 2)
        .map(({ price }) => priceText(price, rule)),
    ],
  }))
  return (
    <Prices title={t('model.groups')} heads={[t('word.group'), t('word.groupRatio'), ...names]} rows={rows} />
  )
}

interface PricesProps {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

function Prices({ title, heads, rows }: PricesProps) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
                <td key={place}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
