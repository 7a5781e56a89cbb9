import { Link } from '@tanstack/react-router'
import type { PricingRow } from '@tollgate/contract/pricing'
import { useMemo } from 'react'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { useMoney } from '../../../shared/format/use-money.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { groupTone, type LabelTone } from '../../../shared/status/label-tones.ts'
import { Label, Status } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import type { PriceGroup } from '../api.ts'
import { endpointLabel } from '../endpoints.ts'
import { pricingMessages } from '../i18n/index.ts'
import { isByCall, isBySecond, listPriceText, priceLines, tokenPrice } from '../prices.ts'
import styles from './page.module.css'

interface PriceColumnsInput {
  /** `undefined` until the list is loaded. */
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
        widthPx: 96,
        render: (row) => <Availability row={row} group={group} />,
      },
      {
        key: 'model',
        title: t('column.model'),
        isFluid: true,
        phone: 'title',
        render: (row) => (
          <span className={`code ${styles.name}`}>
            <CopyableText text={row.model_name} />
          </span>
        ),
      },
      {
        key: 'billing',
        title: t('column.billing'),
        widthPx: 88,
        phone: 'detail',
        render: (row) => <Label text={isByCall(row) ? t('word.byCall') : t('word.byUsage')} />,
      },
      {
        key: 'call',
        title: t('line.call'),
        widthPx: 112,
        isNumber: true,
        phone: 'value',
        render: (row) => {
          if (!isByCall(row)) return null
          const price = listPriceText(priceLines(row, group?.ratio ?? 1)[0]?.price ?? 0, rule)
          return isBySecond(row) ? t('qualityBySecond', { price }) : price
        },
      },
      ...tokenColumns.map(({ name, title, phone }): Column<PricingRow> => {
        return {
          key: name,
          title: t(title),
          widthPx: 92,
          isNumber: true,
          phone,
          render: (row) => {
            const price = tokenPrice(row, name, group?.ratio ?? 1)
            return price === undefined ? null : listPriceText(price, rule)
          },
        }
      }),
      {
        key: 'groups',
        title: t('column.groups'),
        widthPx: 176,
        render: (row) => <Groups row={row} shown={group?.name} onGroup={onGroup} />,
      },
      {
        key: 'endpoints',
        title: t('column.endpoints'),
        widthPx: 176,
        render: (row) => <Endpoints row={row} />,
      },
      {
        key: 'more',
        title: t('column.more'),
        widthPx: 72,
        phone: 'detail',
        render: (row) => (
          <Link
            to={paths.pricingModel}
            search={{ name: row.model_name, group: group?.name }}
            aria-label={t('detailsOf', { model: row.model_name })}
          >
            {t('word.details')}
          </Link>
        ),
      },
    ],
    [t, rule, group, onGroup],
  )
}

const tokenColumns = [
  { name: 'input', title: 'line.input', phone: 'value' },
  { name: 'output', title: 'line.output', phone: 'value' },
  { name: 'cacheRead', title: 'line.cacheRead', phone: 'more' },
  { name: 'cacheWrite', title: 'column.cacheWrite', phone: 'more' },
] as const

const tokenKeys: ReadonlySet<string> = new Set(tokenColumns.map(({ name }) => name))

/**
 * Leaves out columns that would be empty for these rows: image models have no token prices, and text models
 * no price per call.
 */
export function columnsFor(
  columns: readonly Column<PricingRow>[],
  rows: readonly PricingRow[],
): readonly Column<PricingRow>[] {
  const hasCalls = rows.some(isByCall)
  const hasTokens = !rows.every(isByCall)
  return columns.filter(({ key }) => (key === 'call' ? hasCalls : !tokenKeys.has(key) || hasTokens))
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

const chipClasses: Readonly<Partial<Record<LabelTone, string>>> = {
  look: styles.lookChip,
  act: styles.actChip,
}

const GROUPS_SHOWN = 2

/**
 * The first groups in which the model can be called, the shown group first. A click on a group shows its
 * prices.
 */
function Groups({ row, shown, onGroup }: GroupsProps) {
  const t = pricingMessages.use()
  const names = row.enable_groups.toSorted((left, right) => Number(right === shown) - Number(left === shown))
  const rest = names.slice(GROUPS_SHOWN)
  return (
    <span className={styles.line}>
      {names.slice(0, GROUPS_SHOWN).map((name) => (
        <button
          key={name}
          type="button"
          className={`${styles.chip} ${chipClasses[groupTone(name)] ?? ''}`}
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
      {rest.length > 0 && (
        <span className="muted" title={rest.join(', ')}>
          {t('andMore', { count: rest.length })}
        </span>
      )}
    </span>
  )
}

const ENDPOINTS_SHOWN = 2

/** The first endpoints; the opened row and the model's own page list all of them. */
function Endpoints({ row }: { readonly row: PricingRow }) {
  const t = pricingMessages.use()
  const labels = row.supported_endpoint_types.map((endpoint) => endpointLabel(endpoint, t))
  const rest = labels.slice(ENDPOINTS_SHOWN)
  if (labels.length === 0) return <span className="muted">–</span>
  return (
    <span className={styles.line}>
      {labels.slice(0, ENDPOINTS_SHOWN).map((label) => (
        <Label key={label} text={label} />
      ))}
      {rest.length > 0 && (
        <span className="muted" title={rest.join(', ')}>
          {t('andMore', { count: rest.length })}
        </span>
      )}
    </span>
  )
}
