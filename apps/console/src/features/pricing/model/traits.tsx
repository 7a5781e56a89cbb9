import type { PricingRow } from '@tollgate/contract/pricing'
import type { ReactNode } from 'react'
import { groupedInteger } from '../../../shared/format/money.ts'
import { pricingMessages } from '../i18n/index.ts'
import styles from './page.module.css'

type Traits = PricingRow['traits']

/** Known request traits of the model, so that callers see how their requests are changed. */
export function ModelTraits({ traits }: { readonly traits: Traits }) {
  const t = pricingMessages.use()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('traits.refuses'), wordsOf(refusedIn(traits, t))],
    [t('traits.efforts'), effortsIn(traits, t)],
    [t('traits.thinking'), thinkingIn(traits, t)],
    [t('traits.responses'), responsesIn(traits, t)],
  ]
  const known = facts.filter(([, value]) => value !== '')
  if (known.length === 0) return null
  return (
    <section className={styles.section}>
      <div>
        <h2>{t('model.traits')}</h2>
        <p className="muted">{t('model.traitsText')}</p>
      </div>
      <dl className={styles.traits}>
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function wordsOf(words: readonly string[]): ReactNode {
  if (words.length === 0) return ''
  return (
    <span className={styles.words}>
      {words.map((word) => (
        <code key={word}>{word}</code>
      ))}
    </span>
  )
}

type Translate = ReturnType<typeof pricingMessages.use>

/** If a model accepts only one of temperature and `top_p`, the gateway drops `top_p`. */
function refusedIn(traits: Traits, t: Translate): readonly string[] {
  return [
    ...textsIn(traits, 'refuses'),
    ...(traits['temperature_or_top_p'] === true ? [t('traits.topP')] : []),
  ]
}

/** An empty list means that the model accepts no reasoning effort at all. */
function effortsIn(traits: Traits, t: Translate): ReactNode {
  if (traits['efforts'] === undefined) return ''
  const efforts = textsIn(traits, 'efforts')
  return efforts.length === 0 ? t('traits.none') : wordsOf(efforts)
}

function thinkingIn(traits: Traits, t: Translate): string {
  const { reasons, adaptive_thinking: isAdaptive, thinking_budget: budget, thinking_off: canBeOff } = traits
  if (reasons === false) return t('traits.none')
  const bounds = isBounds(budget)
    ? { min: groupedInteger(budget.min), max: groupedInteger(budget.max) }
    : undefined
  return [
    isAdaptive === true && t('traits.adaptive'),
    bounds && t('traits.budget', bounds),
    canBeOff === false && t('traits.alwaysOn'),
    canBeOff === true && t('traits.canBeOff'),
  ]
    .filter(Boolean)
    .join(t('word.comma'))
}

function isBounds(value: unknown): value is { readonly min: number; readonly max: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'min' in value &&
    typeof value.min === 'number' &&
    'max' in value &&
    typeof value.max === 'number'
  )
}

const reasons = {
  everything: 'traits.everything',
  tools: 'traits.tools',
  'tools-with-effort': 'traits.toolsWithEffort',
  'max-effort': 'traits.maxEffort',
  search: 'traits.search',
} as const

function responsesIn(traits: Traits, t: Translate): string {
  const asked = new Set(textsIn(traits, 'responses_for'))
  return Object.entries(reasons)
    .flatMap(([reason, word]) => (asked.has(reason) ? [t(word)] : []))
    .join(t('word.comma'))
}

function textsIn(traits: Traits, name: string): readonly string[] {
  const value = traits[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
