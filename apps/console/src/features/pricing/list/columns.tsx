import { Link } from '@tanstack/react-router'
import type { PricingRow } from '@tollgate/contract/pricing'
import { useMemo } from 'react'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { Label, Status } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import type { PriceGroup } from '../api.ts'
import { endpointLabel } from '../endpoints.ts'
import { pricingMessages } from '../i18n.ts'
import { isByCall, lineWord, priceLines, priceText, ratioText } from '../prices.ts'
import styles from './page.module.css'

interface PriceColumnsInput {
  /** Undefined until the list is there. */
  readonly group: PriceGroup | undefined
  readonly onGroup: (name: string) => void
}

export function usePriceColumns({ group, onGroup }: PriceColumnsInput): readonly Column<PricingRow>[] {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  return useMemo(
    () => [
      {
        key: 'availability',
        title: t('column.availability'),
        phone: 'detail',
        widthPx: 104,
        render: (row) => <Availability row={row} group={group} />,
      },
      {
        key: 'model',
        title: t('column.model'),
        widthPx: 172,
        phone: 'title',
        render: (row) => (
          <span className="code">
            <CopyableText text={row.model_name} />
          </span>
        ),
      },
      {
        key: 'billing',
        title: t('column.billing'),
        widthPx: 100,
        phone: 'detail',
        render: (row) => <Label text={isByCall(row) ? t('byCall') : t('byUsage')} />,
      },
      {
        key: 'groups',
        title: t('column.groups'),
        widthPx: 132,
        render: (row) => <Groups row={row} shown={group?.name} onGroup={onGroup} />,
      },
      {
        key: 'endpoints',
        title: t('column.endpoints'),
        widthPx: 248,
        render: (row) => (
          <span className={styles.chips}>
            {row.supported_endpoint_types.length === 0 && <span className="muted">–</span>}
            {row.supported_endpoint_types.map((endpoint) => (
              <Label key={endpoint} text={endpointLabel(endpoint, t)} />
            ))}
          </span>
        ),
      },
      {
        key: 'ratios',
        title: t('column.ratios'),
        widthPx: 116,
        isNumber: true,
        render: (row) => (isByCall(row) ? '–' : <Ratios row={row} group={group} />),
      },
      {
        key: 'price',
        title: t('column.price'),
        widthPx: 232,
        isNumber: true,
        phone: 'value',
        render: (row) => (
          <span className={styles.stack}>
            {priceLines(row, group?.ratio ?? 1)
              .slice(0, 2)
              .map(({ name, price }) => (
                <span key={name}>
                  <span className="muted">{t(lineWord(row, name))}</span> {priceText(price, rule)}
                </span>
              ))}
            {row.context_tiers.map((tier) => (
              <span key={tier.above} className="muted">
                {t('longPrice', {
                  above: groupedInteger(tier.above),
                  prices: priceLines(row, group?.ratio ?? 1, tier)
                    .slice(0, 2)
                    .map(({ price }) => priceText(price, rule))
                    .join(' · '),
                })}
              </span>
            ))}
            <QualityPrices row={row} group={group} />
            <TierPrices row={row} />
            <ToolPrices row={row} group={group} />
          </span>
        ),
      },
      {
        key: 'more',
        title: t('column.more'),
        widthPx: 76,
        phone: 'detail',
        render: (row) => (
          <Link
            to={paths.pricingModel}
            search={{ name: row.model_name, ...(group && { group: group.name }) }}
            aria-label={t('detailsOf', { model: row.model_name })}
          >
            {t('details')}
          </Link>
        ),
      },
    ],
    [t, rule, group, onGroup],
  )
}

function Availability({ row, group }: { readonly row: PricingRow; readonly group: PriceGroup | undefined }) {
  const t = pricingMessages.use()
  const isAvailable = group === undefined || row.enable_groups.includes(group.name)
  return <Status tone={isAvailable ? 'ok' : 'idle'} label={isAvailable ? t('available') : t('unavailable')} />
}

interface GroupsProps {
  readonly row: PricingRow
  readonly shown: string | undefined
  readonly onGroup: (name: string) => void
}

/** The groups a model can be called in; choosing one shows its prices. */
function Groups({ row, shown, onGroup }: GroupsProps) {
  const t = pricingMessages.use()
  return (
    <span className={styles.chips}>
      {row.enable_groups.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.chip}
          aria-pressed={name === shown}
          title={t('showGroup', { group: name })}
          onClick={(event) => {
            event.stopPropagation()
            onGroup(name)
          }}
        >
          {name}
        </button>
      ))}
    </span>
  )
}

/** What a video costs by how it is made; of many the first ones, the model's own page lists them all. */
function QualityPrices({ row, group }: { readonly row: PricingRow; readonly group: PriceGroup | undefined }) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const prices = row.quality_prices.map((quality) => {
    const price = priceLines({ ...row, ...quality }, group?.ratio ?? 1)[0]?.price ?? 0
    return { name: quality.quality, text: priceText(price, rule), isByCall: quality.quota_type === 1 }
  })
  const rest = prices.length - QUALITIES_SHOWN
  return (
    <>
      {prices.slice(0, QUALITIES_SHOWN).map(({ name, text, isByCall: isBySecond }) => (
        <span key={name}>
          <span className="muted">{name}</span>{' '}
          {t(isBySecond ? 'qualityBySecond' : 'qualityByUsage', { price: text })}
        </span>
      ))}
      {rest > 0 && <span className="muted">{t('moreQualities', { count: rest })}</span>}
    </>
  )
}

const QUALITIES_SHOWN = 3

/** By how much a service tier changes the prices. */
function TierPrices({ row }: { readonly row: PricingRow }) {
  return Object.entries(row.tier_ratios).map(([tier, ratio]) => (
    <span key={tier} className="muted">
      {tier} ×{ratioText(ratio)}
    </span>
  ))
}

/** That there are surcharges, each on hovering; the model's own page lists them. */
function ToolPrices({ row, group }: { readonly row: PricingRow; readonly group: PriceGroup | undefined }) {
  const t = pricingMessages.use()
  const { rule } = useMoney()
  const tools = Object.entries(row.tool_prices).map(
    ([tool, price]) => [tool, price * (group?.ratio ?? 1)] as const,
  )
  if (tools.length === 0) return null
  const least = Math.min(...tools.map(([, price]) => price))
  const all = tools.map(([tool, price]) => `${tool} ${priceText(price, rule)}`).join('\n')
  return (
    <span className="muted" title={all}>
      {t('toolPrices', { price: priceText(least, rule) })}
    </span>
  )
}

function Ratios({ row, group }: { readonly row: PricingRow; readonly group: PriceGroup | undefined }) {
  const t = pricingMessages.use()
  return (
    <span className={styles.stack}>
      <span>
        <span className="muted">{t('ratio.model')}</span> {ratioText(row.model_ratio)}
      </span>
      <span>
        <span className="muted">{t('ratio.completion')}</span> {ratioText(row.completion_ratio)}
      </span>
      {group !== undefined && (
        <span>
          <span className="muted">{t('ratio.group')}</span> {ratioText(group.ratio)}
        </span>
      )}
    </span>
  )
}
