import type { PricingRow } from '@tollgate/contract/pricing'
import type { ReactNode } from 'react'
import { groupedInteger } from '../../../shared/format/money.ts'
import { type PricingKey, pricingMessages } from '../i18n/index.ts'
import styles from './page.module.css'

/** Facts from the vendor's documentation: input and output limits, modalities, and the retirement date. */
export function ModelFacts({ facts }: { readonly facts: PricingRow['facts'] }) {
  const t = pricingMessages.use()
  const tokens = (count: number | undefined) =>
    count === undefined ? undefined : t('facts.tokens', { count: groupedInteger(count) })
  const kinds = (names: readonly string[] | undefined) =>
    names?.map((name) => (isModality(name) ? t(modalities[name]) : name)).join(t('word.comma'))
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('facts.context'), tokens(facts.context_tokens)],
    [t('facts.output'), tokens(facts.output_tokens_max)],
    [t('word.input'), kinds(facts.input)],
    [t('word.output'), kinds(facts.output)],
    [t('facts.shutdown'), facts.shutdown_date],
  ]
  const known = rows.filter(([, value]) => value !== undefined)
  if (known.length === 0) return null
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const modalities = {
  text: 'facts.text',
  image: 'facts.image',
  audio: 'facts.audio',
  video: 'facts.video',
  file: 'facts.file',
  embedding: 'facts.embedding',
} as const satisfies Record<string, PricingKey>

function isModality(name: string): name is keyof typeof modalities {
  return Object.hasOwn(modalities, name)
}
