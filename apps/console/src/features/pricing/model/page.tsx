import type { PricingRow } from '@tollgate/contract/pricing'
import { Select, Skeleton } from 'antd'
import { useState } from 'react'
import { CodeExample } from '../../../shared/code-example/code-example.tsx'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { PageHeader } from '../../../shared/page/page-header.tsx'
import { ButtonLink } from '../../../shared/page/plain-button.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { useSearchState } from '../../../shared/routing/search.ts'
import { useServerAddress } from '../../../shared/session/status.ts'
import { Label } from '../../../shared/status/status.tsx'
import { type PriceGroup, usePriceList, useShownGroup } from '../api.ts'
import { endpointLabel } from '../endpoints.ts'
import { pricingMessages } from '../i18n/index.ts'
import { Calculator } from './calculator.tsx'
import { KEY_IN_EXAMPLES } from './example-values.ts'
import { exampleEndpoints, examplesOf } from './examples.ts'
import { ModelFacts } from './facts.tsx'
import styles from './page.module.css'
import {
  ContextPrices,
  GroupPrices,
  KindPrices,
  QualityPrices,
  TierPrices,
  ToolPrices,
} from './price-tables.tsx'
import { modelSearch } from './search.ts'
import { ModelTraits } from './traits.tsx'

/**
 * The page of one model: the price of each kind of token in each group, a cost estimate, and example
 * requests.
 */
export default function ModelPage() {
  const t = pricingMessages.use()
  const [{ name, group: asked }, setSearch] = useSearchState(modelSearch)
  const prices = usePriceList()
  const row = prices.data?.rows.find(({ model_name: model }) => model === name)
  const groups = (prices.data?.groups ?? []).filter((group) => row?.enable_groups.includes(group.name))
  const group = useShownGroup(groups, asked)
  return (
    <div className={styles.page}>
      <PageHeader
        title={name === '' ? t('title') : name}
        purpose={t('model.purpose', { model: name })}
        actions={<ButtonLink to={paths.pricing}>{t('model.back')}</ButtonLink>}
      />
      {prices.error !== null && prices.data === undefined && (
        <ErrorState error={prices.error} onRetry={() => void prices.refetch()} />
      )}
      {prices.isPending && (
        <div className={styles.coming}>
          <Skeleton active paragraph={{ rows: 12 }} />
        </div>
      )}
      {prices.data !== undefined && row === undefined && (
        <EmptyState title={t('model.missing')} text={t('model.missingText')} />
      )}
      {row !== undefined && group !== undefined && (
        <Facts
          row={row}
          groups={groups}
          group={group}
          onGroup={(chosen) => setSearch({ group: chosen }, { replace: true })}
        />
      )}
    </div>
  )
}

interface FactsProps {
  readonly row: PricingRow
  readonly groups: readonly PriceGroup[]
  readonly group: PriceGroup
  readonly onGroup: (name: string) => void
}

function Facts({ row, groups, group, onGroup }: FactsProps) {
  const t = pricingMessages.use()
  return (
    <>
      <div className={styles.labels}>
        {row.owner_name !== '' && <span className="muted">{t('model.by', { owner: row.owner_name })}</span>}
        {row.supported_endpoint_types.map((endpoint) => (
          <Label key={endpoint} text={endpointLabel(endpoint, t)} />
        ))}
        <Select
          className={styles.group}
          aria-label={t('word.group')}
          value={group.name}
          options={groups.map(({ name }) => ({ value: name, label: `${t('word.group')}: ${name}` }))}
          onChange={onGroup}
        />
      </div>
      <ModelFacts facts={row.facts} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <KindPrices row={row} group={group} />
          <QualityPrices row={row} group={group} />
          <ContextPrices row={row} group={group} />
          <ToolPrices row={row} group={group} />
          <TierPrices row={row} group={group} />
          <GroupPrices row={row} groups={groups} />
          <ModelTraits traits={row.traits} />
        </div>
        <Calculator row={row} group={group} />
      </div>
      <Examples row={row} />
    </>
  )
}

function Examples({ row }: { readonly row: PricingRow }) {
  const t = pricingMessages.use()
  const address = useServerAddress()
  const endpoints = exampleEndpoints(row.supported_endpoint_types)
  const [chosen, setChosen] = useState(endpoints[0])
  if (chosen === undefined) return null
  const examples = examplesOf(chosen, { model: row.model_name, address })
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <div>
          <h2>{t('model.examples')}</h2>
          <p className="muted">{t('model.examplesText', { key: KEY_IN_EXAMPLES })}</p>
        </div>
        {endpoints.length > 1 && (
          <Select
            className={styles.group}
            aria-label={t('endpoint')}
            value={chosen}
            options={endpoints.map((endpoint) => ({ value: endpoint, label: endpointLabel(endpoint, t) }))}
            onChange={setChosen}
          />
        )}
      </div>
      <CodeExample examples={examples} />
    </section>
  )
}
