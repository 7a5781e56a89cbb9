import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import type { PricingRow } from '@tollgate/contract/pricing'
import { groupedInteger } from '../../../shared/format/money.ts'
import { currentLanguage } from '../../../shared/i18n/language.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { ratioTone } from '../../../shared/status/label-tones.ts'
import { Label } from '../../../shared/status/status.tsx'
import type { PriceGroup } from '../api.ts'
import { endpointLabel } from '../endpoints.ts'
import { pricingMessages } from '../i18n/index.ts'
import { isByCall, priceLines, priceText, ratioText } from '../prices.ts'
import styles from './page.module.css'

interface RowDetailsProps {
  readonly row: PricingRow
  readonly group: PriceGroup | undefined
}

/** Details that the row leaves out: the model's ratios, and prices that apply to few calls. */
export function RowDetails({ row, group }: RowDetailsProps) {
  const t = pricingMessages.use()
  const facts = useFacts(row, group?.ratio ?? 1)
  const ratios = [
    ...(isByCall(row)
      ? []
      : [
          { word: t('word.model'), ratio: row.model_ratio },
          { word: t('ratio.completion'), ratio: row.completion_ratio },
        ]),
    ...(group === undefined ? [] : [{ word: t('word.group'), ratio: group.ratio }]),
  ]
  const endpoints = row.supported_endpoint_types.map((endpoint) => endpointLabel(endpoint, t))
  const all = [
    ...facts,
    { title: t('column.endpoints'), lines: endpoints },
    { title: t('column.groups'), lines: row.enable_groups },
  ]
  return (
    <dl className={styles.details}>
      <div>
        <dt>{t('word.ratios')}</dt>
        <dd className="number">
          {ratios.map(({ word, ratio }) => (
            <span key={word}>
              {word} <Ratio ratio={ratio} />
            </span>
          ))}
        </dd>
      </div>
      {all
        .filter(({ lines }) => lines.length > 0)
        .map(({ title, lines }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="number">
              {lines.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Ratio({ ratio }: { readonly ratio: number }) {
  const tone = ratioTone(ratio)
  return tone === 'plain' ? ratioText(ratio) : <Label text={ratioText(ratio)} tone={tone} />
}

const IN_LINE: ReadonlySet<string> = new Set(['call', 'input', 'output', 'cacheRead', 'cacheWrite'])

function useFacts(row: PricingRow, ratio: number) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const text = (price: number) => priceText(price, rule)
  const others = priceLines(row, ratio).filter(({ name }) => !IN_LINE.has(name))
  return [
    {
      title: t('otherKinds'),
      lines: others.map(({ name, price }) => `${t(`line.${name}`)} ${text(price)}`),
    },
    {
      title: t('model.context'),
      lines: row.context_tiers.map((tier) =>
        t('longPrice', {
          above: groupedInteger(tier.above),
          prices: priceLines(row, ratio, tier)
            .slice(0, 2)
            .map(({ price }) => text(price))
            .join(' · '),
        }),
      ),
    },
    {
      title: t('model.qualities'),
      lines: row.quality_prices.map((quality) => {
        const price = text(priceLines({ ...row, ...quality }, ratio)[0]?.price ?? 0)
        const words = isByCall({ ...row, ...quality }) ? 'qualityBySecond' : 'qualityByUsage'
        return `${quality.quality} ${t(words, { price })}`
      }),
    },
    {
      title: t('word.tiers'),
      lines: Object.entries(row.tier_ratios).map(([tier, factor]) => `${tier} × ${ratioText(factor)}`),
    },
    {
      title: t('toolPrices'),
      lines: Object.entries(row.tool_prices).map(
        ([tool, price]) => `${formatFee(tool, currentLanguage())} ${text(price * ratio)}`,
      ),
    },
  ]
}
